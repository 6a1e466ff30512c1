import type { OperationId } from "../session/operation.ts";
import { decideKey } from "./decide-access.ts";
import { outerParents, SEGMENT_VERSION, type Segment, type SegmentOperation, tipsOf } from "./segment.ts";
import type { PushedSegment } from "./sync-calls.ts";
import { refuseSync, type SyncRefusal } from "./sync-refusal.ts";
import { byServerOrder, type ServerHead } from "./sync-values.ts";

/** The facts that the server has when a segment arrives. It holds the thread's lock from reading this until it has stored. */
export interface PushFacts {
  /** The vault and thread of the path, and the device of the token. */
  readonly vault: string;
  readonly thread: string;
  readonly device: string;
  readonly kid: string | null;
  readonly used_bytes: number;
  readonly quota_bytes: number;
  readonly row: ServerThread | undefined;
  /** Those operations of the segment, and those parents of them, that the thread has. */
  readonly known: ReadonlyMap<OperationId, KnownOperation>;
  /** Those blobs of the segment that the vault has. */
  readonly blobs: ReadonlySet<string>;
}

export interface ServerThread {
  readonly last_seq: number;
  readonly heads: readonly ServerHead[];
  readonly deleted: boolean;
}

export interface KnownOperation {
  readonly tag: string;
  readonly seq: number;
  readonly segment: string;
}

/** The answer, but for the vault's last change, which is known when the segment is stored. */
export type PushAnswer = Omit<PushedSegment, "change">;

export type PushDecision =
  /** Store the segment with the number `answer.seq`, and these operations of it, which are new. */
  | { readonly kind: "store"; readonly operations: readonly SegmentOperation[]; readonly answer: PushAnswer }
  /** All operations are stored already. Store nothing. */
  | { readonly kind: "repeat"; readonly answer: PushAnswer }
  | SyncRefusal;

/**
 * Decides what becomes of a segment. A segment is never refused because the thread has gone on: its operations become
 * another head, so that nothing is lost. It is refused when others could not read it or not have all that it follows.
 */
export function decidePush({ envelope }: Segment, facts: PushFacts): PushDecision {
  if (envelope.format_version > SEGMENT_VERSION)
    return refuseSync(
      "newer-version",
      `This server stores segments up to version ${SEGMENT_VERSION}, not ${envelope.format_version}. Nothing was stored; update the server.`,
      { version: SEGMENT_VERSION },
    );
  if (envelope.vault !== facts.vault || envelope.thread !== facts.thread || envelope.device !== facts.device)
    return refuseSync("invalid-request", "The segment is of another vault, thread or device. Nothing was stored.");
  const wrongKey = decideKey(envelope.kid, facts.kid);
  if (wrongKey) return wrongKey;
  const { row, known } = facts;
  if (!row) return refuseSync("unknown-thread", "The vault has no such thread. Nothing was stored.");
  if (row.deleted) return refuseSync("gone", "The thread was deleted. Nothing was stored.");

  const { operations } = envelope;
  const other = operations.filter(({ id, tag }) => known.has(id) && known.get(id)?.tag !== tag);
  if (other.length > 0)
    return refuseSync("other-content", "The server has other content under the same id. Nothing was stored.", {
      operations: other.map(({ id }) => id),
    });
  const fresh = operations.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return { kind: "repeat", answer: answerOf(row, lastOf(operations, known)) };

  const parents = outerParents(operations).filter((id) => !known.has(id));
  const blobs = envelope.blobs.filter((name) => !facts.blobs.has(name));
  if (parents.length > 0 || blobs.length > 0)
    return refuseSync("missing", "The server does not have all that the segment needs. Nothing was stored.", {
      parents,
      blobs,
    });
  if (facts.used_bytes + envelope.size > facts.quota_bytes)
    return refuseSync("quota-exceeded", "The vault is full. Nothing was stored.");

  const seq = row.last_seq + 1;
  const heads = headsAfter(row.heads, fresh, seq);
  return {
    kind: "store",
    operations: fresh,
    answer: answerOf({ last_seq: seq, heads }, { segment: envelope.id, seq }),
  };
}

/**
 * Whether a thread certainly has none of these operations, which are in their order. An operation that it has is followed by no
 * head: it was stored with its parents, and what is followed is no head any more.
 */
export function areNew(operations: readonly SegmentOperation[], heads: readonly ServerHead[]): boolean {
  const ends = new Set(heads.map(({ operation }) => operation));
  const own = new Set(operations.map(({ id }) => id));
  const isNew = ({ parents }: SegmentOperation) =>
    parents.length > 0 ? parents.every((id) => own.has(id) || ends.has(id)) : ends.size === 0;
  return operations.every(isNew);
}

/** The heads after operations were added: they replace the heads that they follow. */
function headsAfter(heads: readonly ServerHead[], operations: readonly SegmentOperation[], seq: number): ServerHead[] {
  const followed = new Set(operations.flatMap(({ parents }) => parents));
  const tips = tipsOf(operations).map(({ id }) => ({ operation: id, seq }));
  return [...heads.filter(({ operation }) => !followed.has(operation)), ...tips].sort(byServerOrder);
}

function answerOf(
  { last_seq, heads }: Pick<ServerThread, "last_seq" | "heads">,
  { segment, seq }: Pick<KnownOperation, "segment" | "seq">,
): PushAnswer {
  return { segment, seq, last_seq, heads };
}

/** The stored operation that came last. */
function lastOf(
  operations: readonly SegmentOperation[],
  known: ReadonlyMap<OperationId, KnownOperation>,
): KnownOperation {
  const [first, ...others] = operations.flatMap(({ id }) => known.get(id) ?? []);
  if (!first) throw new Error("a segment has no operation");
  return others.reduce((one, two) => (two.seq > one.seq ? two : one), first);
}
