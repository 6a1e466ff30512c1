import type { OperationId } from "../session/operation.ts";
import { type Check, fields, list, whole } from "../values/check.ts";
import { canonical, type JsonObject } from "../values/json.ts";
import { idProblem } from "../values/text.ts";
import { SYNC_LIMITS } from "./limits.ts";
import { base64, blobName, hex, keyId } from "./sync-values.ts";

/**
 * A segment is the unit of sync: 1 to 200 operations of one thread, sent by one device.
 *
 *     plaintext   JSON lines as in a bundle (operation, tree, change), and an `object` line for each blob it needs
 *     body        zstd, padded, then AES-256-GCM; the associated data is `associatedData(envelope)`
 *     envelope    in clear: what a server that can read nothing needs to keep order
 *
 * The clear ids and parents let the server keep causal closure: it shows nothing before its parents and its blobs. The tag
 * of an operation is a keyed hash of the operation's hash: equal tags mean equal content, and nobody without the key
 * learns more. So the server can tell a repeated operation from another one with the same id.
 */
export interface Segment {
  readonly envelope: SegmentEnvelope;
  /** Base64. */
  readonly body: string;
}

export interface SegmentEnvelope {
  readonly format: typeof SEGMENT_FORMAT;
  readonly format_version: number;
  /** Chosen by the device, at random. */
  readonly id: string;
  readonly vault: string;
  readonly thread: string;
  readonly device: string;
  /** The hash of the vault key. */
  readonly kid: string;
  /** Parents before their children. */
  readonly operations: readonly SegmentOperation[];
  /** The names of the blobs that these operations need. */
  readonly blobs: readonly string[];
  /** Of the body, in bytes. */
  readonly size: number;
  /** SHA-256 of the body. */
  readonly digest: string;
}

export interface SegmentOperation {
  readonly id: OperationId;
  readonly tag: string;
  readonly parents: readonly OperationId[];
}

export const SEGMENT_FORMAT = "retake-segment";
export const SEGMENT_VERSION = 1;

/** The parts of an envelope that are known before the body is encrypted. Nobody can move the body to another envelope. */
export function associatedData({ size: _, digest: __, ...rest }: SegmentEnvelope): string {
  return canonical(rest as unknown as JsonObject);
}

/** The operations of a segment that no other operation in it follows. */
export function tipsOf(operations: readonly SegmentOperation[]): SegmentOperation[] {
  const parents = new Set(operations.flatMap((each) => each.parents));
  return operations.filter(({ id }) => !parents.has(id));
}

/** The parents that a segment needs from elsewhere. */
export function outerParents(operations: readonly SegmentOperation[]): OperationId[] {
  const own = new Set(operations.map(({ id }) => id));
  return [...new Set(operations.flatMap(({ parents }) => parents))].filter((id) => !own.has(id));
}

const operation = fields(
  { id: idProblem, tag: hex(16), parents: atMost(SYNC_LIMITS.operation_parents, idProblem) },
  {},
  "closed",
);

const envelopeFields = fields(
  {
    format: (value) => (value === SEGMENT_FORMAT ? undefined : `must be ${SEGMENT_FORMAT}`),
    format_version: whole(1),
    id: idProblem,
    vault: idProblem,
    thread: idProblem,
    device: idProblem,
    kid: keyId,
    operations: atMost(SYNC_LIMITS.segment_operations, operation, 1),
    blobs: atMost(SYNC_LIMITS.segment_blobs, blobName),
    size: whole(1, SYNC_LIMITS.segment_bytes),
    digest: hex(32),
  },
  {},
  "closed",
);

export const checkEnvelope: Check = (value) => envelopeFields(value) ?? orderProblem(value as SegmentEnvelope);

export const checkSegment = fields({ envelope: checkEnvelope, body: base64(SYNC_LIMITS.segment_bytes) }, {}, "closed");

export function atMost(count: number, item: Check, least = 0): Check {
  const each = list(item);
  return (value) => {
    const problem = each(value);
    if (problem) return problem;
    const { length } = value as readonly unknown[];
    return length >= least && length <= count ? undefined : `must have ${least} to ${count} items, not ${length}`;
  };
}

function orderProblem({ operations, blobs }: SegmentEnvelope): string | undefined {
  const later = new Set(operations.map(({ id }) => id));
  if (later.size < operations.length) return ".operations names one twice";
  if (new Set(blobs).size < blobs.length) return ".blobs names one twice";
  for (const { id, parents } of operations) {
    if (parents.some((parent) => later.has(parent))) return ".operations has a child before its parent";
    later.delete(id);
  }
  return undefined;
}
