import type { OperationId } from "../../session/operation.ts";
import type { Segment, SegmentOperation } from "../segment.ts";

export const KID = "a1".repeat(32);

/** An operation by its id and parents; the tag follows from the id. */
export function operation(id: OperationId, ...parents: readonly OperationId[]): SegmentOperation {
  return { id, tag: tagOf(id), parents };
}

export function tagOf(text: string): string {
  const digits = [...text].map((letter) => letter.charCodeAt(0).toString(16)).join("");
  return digits.padEnd(32, "0").slice(-32);
}

export function segment(
  operations: readonly SegmentOperation[],
  envelope: Partial<Segment["envelope"]> = {},
  body = "AAAA",
): Segment {
  const id = envelope.id ?? `s-${operations.map((each) => each.id).join("-")}`;
  return {
    envelope: {
      format: "retake-segment",
      format_version: 1,
      id,
      vault: "v",
      thread: "t",
      device: "d",
      kid: KID,
      operations,
      blobs: [],
      size: 3,
      digest: "0".repeat(64),
      ...envelope,
    },
    body,
  };
}
