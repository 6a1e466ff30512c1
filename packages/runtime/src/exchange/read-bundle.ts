/**
 * Reads a bundle from an untrusted source, one item at a time: an operation, a tree, an object. Each is checked before
 * it is returned: an operation is well formed and has the hash that the next one builds on, a tree has the content that
 * its name says, an object has the content of its hash, and no path leads out of a workspace or into a `.git`
 * directory. Only after the last item is the bundle known to be whole; until then nothing may be stored.
 *
 * Memory holds one item, and the names of those already read.
 */
import { createHash } from "node:crypto";
import type { JsonObject } from "@retake/core";
import { defaultLimits, type Hash } from "@retake/workspace";
import { BundleError, broken } from "./bundle-error.ts";
import { BUNDLE_FORMAT, BUNDLE_VERSION, type BundleHeader, type BundleLine } from "./bundle-format.ts";
import { bundleLines } from "./bundle-lines.ts";
import { OperationReader, type ReadOperation } from "./operation-reader.ts";
import { type BundledTree, nextOf, TreeReader } from "./tree-reader.ts";
import { zstdFrames } from "./zstd-frames.ts";

export type BundleItem =
  | ReadOperation
  | BundledTree
  | { readonly kind: "object"; readonly hash: Hash; readonly content: Buffer };

/** A bundle's description of its content. */
export interface BundleTitle {
  readonly version: number;
  readonly thread: string;
  readonly title: string;
}

/** More than any existing bundle of version 1, which was written in one frame. */
const LARGEST_FRAME = 16 * 1024 ** 2;

export function readTitle(bytes: Uint8Array): BundleTitle {
  const frame: Buffer | undefined = zstdFrames(bytes, LARGEST_FRAME).next().value;
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
