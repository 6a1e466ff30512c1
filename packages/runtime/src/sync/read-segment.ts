import type { JsonObject, OperationId } from "@retake/core";
import { outerParents, type ReadSegment, type Segment } from "@retake/core/sync";
import type { CaptureId, Hash } from "@retake/workspace";
import { BundleError } from "../exchange/bundle-error.ts";
import type { BundleLine } from "../exchange/bundle-format.ts";
import { type KnownOperation, OperationReader, type ReadOperation } from "../exchange/operation-reader.ts";
import { type BundledTree, TreeReader } from "../exchange/tree-reader.ts";
import { openSegment } from "./segment-codec.ts";
import type { ThreadKeys } from "./thread-keys.ts";

/** A pulled segment, decrypted and checked. Nothing of it is stored yet. */
export interface SegmentItems {
  readonly kind: "read";
  readonly operations: readonly OperationId[];
  /** This device sent it. */
  readonly own: boolean;
  readonly read: readonly ReadOperation[];
  readonly trees: readonly BundledTree[];
  readonly contents: ReadonlyMap<Hash, number>;
}

/** A pulled segment that was read, or why it cannot be. */
export type FoundSegment = SegmentItems | Extract<ReadSegment, { kind: "unreadable" }>;

/** The things that this device knows: operations of the thread that are stored, or come earlier in the same answer, and trees. */
export interface SegmentContext {
  readonly vault: string;
  readonly thread: string;
  readonly device: string;
  readonly keys: ThreadKeys;
  known(id: OperationId): KnownOperation | undefined;
  isTree(name: CaptureId): boolean;
}

export function readSegment(context: SegmentContext, segment: Segment): FoundSegment {
  const opened = openSegment(context.keys, segment, context);
  if (opened.kind === "unreadable") return opened;
  const { operations } = opened.envelope;
  if (outerParents(operations).some((id) => context.known(id) === undefined))
    return { kind: "unreadable", code: "unknown-parents", message: "A segment follows one that is not here." };
  try {
    const items = readLines(context, opened.lines);
    const isListed = ({ operation, stored }: ReadOperation, at: number) => {
      const listed = operations[at];
      return listed?.id === operation.id && listed.tag === context.keys.tag(stored.hash);
    };
    if (items.read.length !== operations.length || !items.read.every(isListed))
      return damaged("its operations are not those that it names");
    return { ...items, own: opened.envelope.device === context.device };
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    return error.code === "newer-version"
      ? { kind: "unreadable", code: "newer-version", message: error.message }
      : damaged(error.message);
  }
}

function readLines(context: SegmentContext, lines: readonly JsonObject[]): Omit<SegmentItems, "own"> {
  const size = lines.length * LINE_BYTES;
  const rest = lines.values();
  const operations = new OperationReader(context.thread, (id) => context.known(id));
  const trees = new TreeReader(rest, size, (name) => context.isTree(name));
  const read: ReadOperation[] = [];
  const found: BundledTree[] = [];
  const contents = new Map<Hash, number>();
  for (const each of rest) {
    const line = each as unknown as BundleLine;
    if (line.kind === "operation") read.push(operations.read(line));
    else if (line.kind === "tree") found.push(trees.read(line));
    else if (line.kind === "object") contents.set(line.hash, line.size);
  }
  return { kind: "read", operations: read.map(({ operation }) => operation.id), read, trees: found, contents };
}

/** The fewest bytes of a line with a change. */
const LINE_BYTES = 2;

function damaged(why: string): Extract<ReadSegment, { kind: "unreadable" }> {
  const message = `The server's copy of this thread cannot be trusted: ${why} Nothing was changed here.`;
  return { kind: "unreadable", code: "damaged", message };
}
