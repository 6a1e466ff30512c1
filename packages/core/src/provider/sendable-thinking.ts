import type { Entry, ThinkingSegment, ToolCall } from "../session/entry.ts";
import { answerFingerprint, type Hash } from "./fingerprint.ts";
import type { ThinkingPart } from "./message.ts";
import type { RepairCode } from "./repair.ts";

/**
 * Which of an entry's thinking may be sent back. A provider takes thinking only as it made it: the
 * same model, after the same messages, before the same answer, complete. So the signed segments of
 * an entry are sent all or not at all. A segment without a signature was made only to be shown.
 */
export function sendableThinking(entry: Entry, place: Place, hash: Hash): Thinking {
  const signed = (entry.thinking_segments ?? []).filter(isSigned);
  if (signed.length === 0) return { parts: [] };
  if (signed.some(({ model }) => model !== place.model)) return { parts: [], leftOut: "thinking-of-another-model" };
  const current =
    place.prefix !== undefined &&
    signed.every(({ prefix }) => prefix === place.prefix) &&
    !answerChanged(signed, entry, hash) &&
    signed.every(({ text, signature }) => text.isWellFormed() && signature.isWellFormed());
  if (!current) return { parts: [], leftOut: "thinking-outdated" };
  return { parts: signed.map((segment) => thinkingPart(segment, entry.id)) };
}

/** Where in the request something is sent. */
export interface Place {
  readonly model: string;
  /** Fingerprint of the messages before it; none when it is merged into an answer, which no request ever ended with. */
  readonly prefix?: string;
}

export interface Thinking {
  readonly parts: readonly ThinkingPart[];
  /** Why there are none although the entry has signed ones. */
  readonly leftOut?: RepairCode;
}

/** The signature of a call, under the conditions of thinking; a call is valid without. */
export function sendableSignature(call: ToolCall, place: Place): string | undefined {
  const { signature, model, prefix } = call as ToolCall & { readonly [key: string]: unknown };
  if (typeof signature !== "string" || signature === "" || !signature.isWellFormed()) return undefined;
  const current = place.prefix !== undefined && prefix === place.prefix && model === place.model;
  return current ? signature : undefined;
}

type Signed = ThinkingSegment & { readonly signature: string };

function isSigned(segment: ThinkingSegment): segment is Signed {
  return typeof segment.signature === "string" && segment.signature !== "";
}

function answerChanged(signed: readonly Signed[], entry: Entry, hash: Hash): boolean {
  const recorded = signed.map((segment) => segment["answer"]).filter((answer) => answer !== undefined);
  if (recorded.length === 0) return false;
  const now = answerFingerprint(entry, hash);
  return recorded.some((answer) => answer !== now);
}

function thinkingPart(segment: Signed, entryId: string): ThinkingPart {
  const common = { type: "thinking", signature: segment.signature, entry_id: entryId } as const;
  return segment.redacted === true ? { ...common, text: "", redacted: true } : { ...common, text: segment.text };
}
