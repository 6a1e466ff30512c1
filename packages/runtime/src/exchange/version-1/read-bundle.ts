/**
 * Reads a bundle from an untrusted source. Everything is checked before anything is used: the bundle is whole, each
 * operation is well formed and has the hash that the next one builds on, each object has the content of its hash, no
 * path leads out of a workspace or into a `.git` directory, and no file lies below a file.
 */
import { createHash } from "node:crypto";
import { decode, isObject, type OperationV1, operationV1 } from "@retake/core";
import {
  type BytePath,
  type Change,
  type Hash,
  objectId,
  pathProblem,
  type RecordedState,
  showPath,
} from "@retake/workspace";
import { BundleError, broken } from "../bundle-error.ts";
import { chainHash } from "../chain-hash.ts";
import { TreePaths } from "../tree-paths.ts";
import { zstdFrames } from "../zstd-frames.ts";
import type { BundledPath, BundleHeader, BundleLine } from "./bundle-format.ts";

export interface Bundle {
  readonly thread: string;
  readonly title: string;
  readonly operations: readonly OperationV1[];
  readonly trees: readonly { readonly name: string; readonly states: ReadonlyMap<BytePath, RecordedState> }[];
  readonly objects: ReadonlyMap<Hash, Buffer>;
}

export function readBundle(bytes: Uint8Array): Bundle {
  const [first = "", ...rest] = linesOf(bytes);
  const header = readHeader(first);
  const end = parse(rest.pop() ?? "");
  const before = [first, ...rest, ""].join("\n");
  if (end["hash"] !== createHash("sha256").update(before).digest("hex")) throw broken("it is cut off or was changed");
  const lines = rest.map((line) => parse(line) as unknown as BundleLine);
  const of = <Kind extends BundleLine["kind"]>(kind: Kind) =>
    lines.filter((line): line is Extract<BundleLine, { kind: Kind }> => line.kind === kind);
  const counted = of("operation").length + of("tree").length + of("object").length;
  if (counted !== lines.length || of("operation").length !== header.operations || header.operations === 0)
    throw broken("it does not hold what it says");
  const objects = readObjects(of("object"));
  const trees = readTrees(of("tree"), objects);
  const operations = readOperations(of("operation"));
  return { thread: header.thread_id, title: header.title, operations, trees, objects };
}

/** Version 0.1.0 wrote a whole bundle, with all its files, as one frame. */
const LARGEST = 256 * 1024 ** 2;

function linesOf(bytes: Uint8Array): string[] {
  try {
    const frames = zstdFrames(bytes, LARGEST);
    const frame: Buffer | undefined = frames.next().value;
    if (!frame || !frames.next().done) throw broken("it goes on after its end");
    const text = frame.toString("utf8");
    if (!text.endsWith("\n")) throw broken("it is cut off");
    return text.slice(0, -1).split("\n");
  } catch (error) {
    if (error instanceof BundleError) throw error;
    throw broken((error as Error).message);
  }
}

function readHeader(line: string): BundleHeader {
  const header = parse(line) as unknown as BundleHeader;
  return { ...header, title: String(header.title ?? "").slice(0, 200) };
}

function readOperations(lines: readonly Extract<BundleLine, { kind: "operation" }>[]): OperationV1[] {
  const known = new Map<string, Hash>();
  const operations: OperationV1[] = [];
  for (const { operation: body, hash } of lines) {
    const decoded = decode(operationV1, body);
    if (decoded.kind === "unreadable") throw new BundleError(decoded.code, `${decoded.message} Nothing was changed.`);
    const operation = decoded.value;
    const [parent, ...others] = operation.parents;
    if (parent !== operations.at(-1)?.id || others.length > 0 || known.has(operation.id))
      throw broken(`operation ${operation.id} does not follow the one before it`);
    if (chainHash(operation, known) !== hash) throw broken(`operation ${operation.id} is not what was committed`);
    operations.push(operation);
  }
  return operations;
}

function readObjects(lines: readonly Extract<BundleLine, { kind: "object" }>[]): Map<Hash, Buffer> {
  const objects = new Map<Hash, Buffer>();
  for (const { hash, content } of lines) {
    const bytes = Buffer.from(String(content), "base64");
    if (objectId("blob", bytes) !== hash) throw broken(`the object ${String(hash).slice(0, 64)} is damaged`);
    objects.set(hash, bytes);
  }
  return objects;
}

function readTrees(
  lines: readonly Extract<BundleLine, { kind: "tree" }>[],
  objects: ReadonlyMap<Hash, Buffer>,
): Bundle["trees"] {
  const paths = new TreePaths([]);
  return lines.map(({ name, changes }) => {
    if (typeof name !== "string" || !Array.isArray(changes)) throw broken("a tree is not one");
    paths.apply((changes as readonly BundledPath[]).map((change) => readChange(change, paths.states, objects)));
    return { name, states: new Map(paths.states) };
  });
}

function readChange(
  change: BundledPath,
  states: ReadonlyMap<BytePath, RecordedState>,
  objects: ReadonlyMap<Hash, Buffer>,
): Change {
  const path = Buffer.from(String(change.path), "base64").toString("latin1");
  const problem = pathProblem(path);
  if (problem) throw broken(`the path '${showPath(path)}' may not be written (${problem})`);
  const before = states.get(path);
  const after = change.state === undefined ? undefined : checkedState(path, change.state, objects);
  return { path, ...(before ? { before } : {}), ...(after ? { after } : {}) };
}

function checkedState(path: BytePath, state: RecordedState, objects: ReadonlyMap<Hash, Buffer>): RecordedState {
  const wrong = broken(`what it says of '${showPath(path)}' is wrong`);
  if (typeof state !== "object" || state === null) throw wrong;
  const ignored = state.kind !== "uncovered" && state.ignored === true ? { ignored: true as const } : {};
  if (state.kind === "uncovered") return { kind: "uncovered", reason: "excluded" };
  if (state.kind === "directory") return { kind: "directory", mode: modeOf(state.mode, wrong), ...ignored };
  if (state.kind !== "file" && state.kind !== "link") throw wrong;
  const content = objects.get(state.hash);
  if (!content || content.byteLength !== state.size) throw wrong;
  const { hash, size } = state;
  if (state.kind === "link") return { kind: "link", hash, size, ...ignored };
  return { kind: "file", hash, size, mode: modeOf(state.mode, wrong), ...ignored };
}

function modeOf(mode: unknown, wrong: BundleError): number {
  if (!Number.isInteger(mode) || (mode as number) < 0 || (mode as number) > 0o777) throw wrong;
  return mode as number;
}

function parse(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below, as for a line that is not an object.
  }
  throw broken("a line of it is no JSON object");
}
