import { createHash } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import { encode, type JsonObject, type Operation, operationFormat, type Refusal, recordOf, refuse } from "@retake/core";
import type { Retake } from "../open-retake.ts";
import { readCapture } from "../workspace/capture-tree.ts";
import type { BytePath, Hash } from "../workspace/model.ts";
import type { RecordedState } from "../workspace/state-codec.ts";
import {
  BUNDLE_FORMAT,
  BUNDLE_VERSION,
  type BundledPath,
  type BundleHeader,
  type BundleLine,
  withTrees,
} from "./bundle-format.ts";
import { chainHash } from "./chain-hash.ts";

/** The bundle of a thread as it stands, or as it was right after an operation. */
export function writeBundle(retake: Retake, thread: string, at?: string): Buffer | Refusal {
  const read = retake.read(thread, (history) => {
    const operations: Operation[] = [];
    for (let id = at ?? history.state.head; id !== null; id = operations.at(-1)?.parents[0] ?? null) {
      const operation = history.operation(id);
      if (!operation) throw new Error(`operation ${id} is missing`);
      operations.push(operation);
    }
    return { operations: operations.reverse(), title: String(recordOf(history.state, "thread")?.["title"] ?? "") };
  });
  if (read.operations.some(({ parents }) => parents.length > 1))
    return refuse("invalid-input", "This discussion was merged from two machines and cannot be bundled yet.");
  const trees = treesOf(read.operations);
  const { database, objects } = retake.workspace(thread);
  const named = new Map<Hash, BytePath>();
  const treeLines: BundleLine[] = [];
  let before: ReadonlyMap<BytePath, RecordedState> = new Map();
  for (const name of trees) {
    const states = new Map(readCapture(database, name).recorded());
    for (const [path, state] of states) if (state.kind === "file" || state.kind === "link") named.set(state.hash, path);
    treeLines.push({ kind: "tree", name, changes: difference(before, states) });
    before = states;
  }
  const header: BundleHeader = {
    ...{ format: BUNDLE_FORMAT, format_version: BUNDLE_VERSION, thread_id: thread, title: read.title },
    ...{ operations: read.operations.length, trees: trees.length, objects: named.size },
  };
  const hashes = new Map<string, Hash>();
  const operationLines = read.operations.map((operation): BundleLine => {
    const hash = chainHash(operation, hashes);
    return { kind: "operation", hash, operation: encode(operationFormat, operation) };
  });
  const objectLines = [...named].map(([hash, path]): BundleLine => {
    return { kind: "object", hash, content: objects.read(hash, path).toString("base64") };
  });
  const lines = [header, ...operationLines, ...treeLines, ...objectLines].map((line) => JSON.stringify(line));
  const text = `${lines.join("\n")}\n`;
  const end: BundleLine = { kind: "end", hash: createHash("sha256").update(text).digest("hex") };
  return zstdCompressSync(Buffer.from(`${text}${JSON.stringify(end)}\n`));
}

/** In the order in which the operations name them first. */
function treesOf(operations: readonly Operation[]): string[] {
  const found = new Set<string>();
  for (const operation of operations)
    withTrees(operation as unknown as JsonObject, (tree) => {
      found.add(tree);
      return tree;
    });
  return [...found];
}

function difference(
  before: ReadonlyMap<BytePath, RecordedState>,
  after: ReadonlyMap<BytePath, RecordedState>,
): BundledPath[] {
  const changed = [...after].filter(([path, state]) => JSON.stringify(before.get(path)) !== JSON.stringify(state));
  const gone = [...before.keys()].filter((path) => !after.has(path));
  const packed = (path: BytePath) => Buffer.from(path, "latin1").toString("base64");
  return [
    ...changed.map(([path, state]) => ({ path: packed(path), state })),
    ...gone.map((path) => ({ path: packed(path) })),
  ];
}
