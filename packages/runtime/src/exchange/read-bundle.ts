/**
 * Reads a bundle from an untrusted source, one item at a time: an operation, a tree, an object. Each is checked before
 * it is returned: an operation is well formed and has the hash that the next one builds on, a tree has the content that
 * its name says, an object has the content of its hash, and no path leads out of a workspace or into a `.git`
 * directory. Only after the last item is the bundle known to be whole; until then nothing may be stored.
 *
 * Memory holds one item, and the names of those already read.
 */
import { createHash } from "node:crypto";
import { decode, type JsonObject, type Operation, type OperationId, operationFormat } from "@retake/core";
import { type Change, defaultLimits, type Hash, treeName } from "@retake/workspace";
import type { StoredOperation } from "../store/stored-operations.ts";
import { BundleError, broken } from "./bundle-error.ts";
import { BUNDLE_FORMAT, BUNDLE_VERSION, type BundleHeader, type BundleLine, type TreeLine } from "./bundle-format.ts";
import { bundleLines } from "./bundle-lines.ts";
import { chainHash } from "./chain-hash.ts";
import { readChange } from "./read-change.ts";
import { zstdFrames } from "./zstd-frames.ts";

export interface BundledTree extends Required<Omit<TreeLine, "changes" | "partial">> {
  readonly partial: boolean;
  readonly changes: readonly Change[];
}

export type BundleItem =
  | { readonly kind: "operation"; readonly operation: Operation; readonly stored: StoredOperation }
  | BundledTree
  | { readonly kind: "object"; readonly hash: Hash; readonly content: Buffer };

/** A bundle's description of its content. */
export interface BundleTitle {
  readonly version: number;
  readonly thread: string;
  readonly title: string;
}

/** More than any existing bundle of version 1, which was written in one frame. */
export const largestFrame = 16 * 1024 ** 2;

export function readTitle(bytes: Uint8Array): BundleTitle {
  const frame: Buffer | undefined = zstdFrames(bytes, largestFrame).next().value;
  const end = frame?.indexOf(10) ?? -1;
  let header: Partial<BundleHeader> | null = null;
  try {
    header = JSON.parse(frame?.subarray(0, end).toString("utf8") ?? "") as Partial<BundleHeader> | null;
  } catch {
    // Reported below.
  }
  if (header?.format !== BUNDLE_FORMAT) throw broken("it says that it is something else");
  const { format_version: version = 0, thread_id: thread, title } = header;
  if (!Number.isInteger(version) || version < 1) throw broken("it has no version");
  if (version > BUNDLE_VERSION)
    throw new BundleError(
      "newer-version",
      `This bundle was written by a newer Retake (version ${version}; this one reads up to ${BUNDLE_VERSION}). Nothing was changed: update Retake to read it.`,
    );
  if (!/^T-[0-9a-f-]{8,64}$/.test(String(thread))) throw broken("it names no thread");
  return { version, thread: String(thread), title: String(title ?? "").slice(0, 200) };
}

export function* readBundle(bytes: Uint8Array): Generator<BundleItem> {
  const { thread } = readTitle(bytes);
  const lines = bundleLines(bytes);
  lines.next();
  const operations = new OperationReader(thread);
  const trees = new TreeReader(lines, bytes.length);
  const objects = new Set<Hash>();
  let stage = 0;
  for (let next = lines.next(); !next.done; next = lines.next()) {
    const line = next.value as unknown as BundleLine;
    const at = STAGES.indexOf(line.kind);
    if (at < stage) throw broken("its lines are not in order");
    stage = at;
    if (line.kind === "operation") yield operations.read(line);
    else if (line.kind === "tree") yield trees.read(line);
    else if (line.kind === "object") {
      if (objects.has(line.hash)) throw broken("it holds an object twice");
      objects.add(line.hash);
      yield { kind: "object", hash: line.hash, content: readContent(lines, line.hash, line.size) };
    }
  }
  if (operations.count === 0) throw broken("it holds no operation");
}

const STAGES: readonly string[] = ["operation", "tree", "object"];

class OperationReader {
  readonly #thread: string;
  readonly #hashes = new Map<OperationId, Hash>();
  readonly #versions = new Map<OperationId, number>();

  constructor(thread: string) {
    this.#thread = thread;
  }

  get count(): number {
    return this.#hashes.size;
  }

  read({ hash, body }: { readonly hash: Hash; readonly body: string }): BundleItem {
    if (typeof body !== "string" || typeof hash !== "string") throw broken("an operation is not one");
    const decoded = decode(operationFormat, parse(body));
    if (decoded.kind === "unreadable") throw new BundleError(decoded.code, `${decoded.message} Nothing was changed.`);
    const operation = decoded.value;
    const { id, parents, version } = operation;
    if (this.#hashes.has(id)) throw broken(`operation ${id} is in it twice`);
    if (parents.length === 0 ? !this.#isFirst(operation) : parents.some((parent) => !this.#hashes.has(parent)))
      throw broken(`operation ${id} does not follow those before it`);
    if (version !== 1 + Math.max(0, ...parents.map((parent) => this.#versions.get(parent) ?? 0)))
      throw broken(`operation ${id} is not counted as it should be`);
    if (chainHash(operation, this.#hashes) !== hash) throw broken(`operation ${id} is not what was committed`);
    this.#versions.set(id, version);
    return { kind: "operation", operation, stored: { id, hash, body } };
  }

  #isFirst({ diff }: Operation): boolean {
    const born = diff.changes.find(({ id }) => id === "thread");
    return this.count === 0 && born?.kind === "create" && born.after["id"] === this.#thread;
  }
}

class TreeReader {
  readonly #lines: Iterator<JsonObject>;
  readonly #most: number;
  readonly #names = new Set<string>();

  /** A small file cannot contain many changes. */
  constructor(lines: Iterator<JsonObject>, size: number) {
    this.#lines = lines;
    this.#most = 100_000 + size / 2;
  }

  read(line: TreeLine): BundledTree {
    const { name, parent, from = parent, kept, changes: count } = line;
    if (![name, parent, from].every(isName) || name === "" || this.#names.has(name)) throw broken("a tree is not one");
    if (!Number.isInteger(count) || count < 0 || count > this.#most) throw broken("a tree is larger than can be");
    const named = name.slice(0, 12);
    if (from === "" ? kept !== true : !this.#names.has(from)) throw broken(`tree ${named} follows none`);
    const changes: Change[] = [];
    for (let read = 0; read < count; read += 1)
      changes.push(readChange(nextOf(this.#lines, "change"), changes.at(-1)?.path));
    const given = line.from !== undefined;
    const partial = line.partial === true;
    if (!partial && (given ? parent === "" : treeName(parent, changes) !== name))
      throw broken(`tree ${named} is not what was captured`);
    this.#names.add(name);
    return { kind: "tree", name, parent, from, kept: kept === true, partial, changes };
  }
}

function isName(name: unknown): boolean {
  return typeof name === "string" && /^([0-9a-f]{64})?$/.test(name);
}

function readContent(lines: Iterator<JsonObject>, hash: Hash, size: number): Buffer {
  const damaged = broken(`the object ${String(hash).slice(0, 64)} is damaged`);
  if (!Number.isInteger(size) || size < 0 || size > defaultLimits.largestFile) throw damaged;
  const content = Buffer.allocUnsafe(size);
  for (let read = 0; read < size; ) {
    const part = Buffer.from(String(nextOf(lines, "part")["content"]), "base64");
    if (part.length === 0 || read + part.length > size) throw damaged;
    read += part.copy(content, read);
  }
  if (createHash("sha256").update(`blob ${size}\0`).update(content).digest("hex") !== hash) throw damaged;
  return content;
}

function nextOf(lines: Iterator<JsonObject>, kind: BundleLine["kind"]): JsonObject {
  const next = lines.next();
  if (next.done || next.value["kind"] !== kind) throw broken("it does not hold what it says");
  return next.value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
