import type { Entry, ThinkingSegment, ToolCall } from "../session/entry.ts";
import { answerFingerprint, callFingerprint, type Hash } from "./fingerprint.ts";
import type { AssistantPart, ThinkingPart } from "./message.ts";
import type { RepairCode } from "./repair.ts";
import { saysSomething } from "./sendable-text.ts";

/**
 * Decides which thinking of an entry may be sent back. A provider accepts thinking only as it made it: the same model,
 * after the same messages, before the same answer, complete. So the signed segments of an entry are sent all or none. A
 * segment without a signature is only shown to the user.
 */
export function sendableThinking(entry: Entry, place: RequestPosition, hash: Hash): Thinking {
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

/** A position in the request. */
export interface RequestPosition {
  readonly model: string;
  /**
   * Fingerprint of the messages before it; absent when it is merged into an answer, because no request ever ended
   * there.
   */
  readonly prefix?: string;
}

export interface Thinking {
  readonly parts: readonly ThinkingPart[];
  /** Why no segments are sent although the entry has signed ones. */
  readonly leftOut?: RepairCode;
}

/**
 * The parts of an answer: its text, with thinking where the model put it. The text is cut at each thinking segment,
 * also when that segment is not sent. So requests differ only by the thinking itself, and later thinking keeps its
 * prefix. Thinking that nothing follows is left out, because no provider accepts it.
 */
export function answerParts(entry: Entry, thinking: Thinking, followed: boolean, hash: Hash): AssistantPart[] {
  const signed = (entry.thinking_segments ?? []).filter(isSigned);
  const cuts = answerChanged(signed, entry, hash) ? [] : signed.map(({ text_before = 0 }) => text_before);
  const parts: AssistantPart[] = [];
  let done = 0;
  const sayUntil = (end: number) => {
    const text = entry.content.slice(done, end);
    // Blank text is never sent alone: it stays with the text after it.
    if (!saysSomething(text)) return;
    parts.push({ type: "text", text: text.toWellFormed(), entry_id: entry.id });
    done = end;
  };
  signed.forEach((_, index) => {
    const cut = cuts[index] ?? 0;
    if (cut > done) sayUntil(cut);
    const part = thinking.parts[index];
    if (part) parts.push(part);
  });
  sayUntil(entry.content.length);
  while (!followed && parts.at(-1)?.type === "thinking") parts.pop();
  return parts;
}

/** The signature of a call, under the same conditions as thinking; a call without one is valid too. */
export function sendableSignature(call: ToolCall, place: RequestPosition, hash: Hash): string | undefined {
  const { signature, model, prefix, answer } = call as ToolCall & { readonly [key: string]: unknown };
  if (typeof signature !== "string" || signature === "" || !signature.isWellFormed()) return undefined;
  const current = place.prefix !== undefined && prefix === place.prefix && model === place.model;
  return current && (answer === undefined || answer === callFingerprint(call, hash)) ? signature : undefined;
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
