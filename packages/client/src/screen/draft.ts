/**
 * The draft of a take and the text field that shows it. The record changes by our saves, by other screens, by an undo and by a turn
 * that begins; the field changes by typing. Words that were typed here are never replaced while the record does not hold them.
 *
 *   field ── save ──▶ saving ── answer ──▶ stored ── view, if nothing is unsaved ──▶ field
 */
import { takeById } from "@retake/core";
import type { SessionView } from "../session-view.ts";

export interface Draft {
  /** The take whose draft the field shows; undefined before the first view. */
  readonly take: { readonly thread: string; readonly id: string } | undefined;
  /** The words of the record, as far as this screen knows. */
  readonly stored: string;
  /** The words that are on their way to the record. */
  readonly saving: string | undefined;
  /** The version of the thread in which the record had the words `stored`. */
  readonly version: number;
}

export type DraftTake = NonNullable<Draft["take"]>;

/** The draft in a view of the thread. `isGone`: the take that the field shows is not there any more. */
export type SeenDraft = Pick<Draft, "stored" | "version"> & { readonly take: DraftTake; readonly isGone?: boolean };

export const NO_DRAFT: Draft = { take: undefined, stored: "", saving: undefined, version: 0 };

interface NextDraft {
  readonly draft: Draft;
  /** The text that the field shows now. */
  readonly text: string;
  /** Words that were typed in the take before and are not saved: they belong there. */
  readonly left?: { readonly take: DraftTake; readonly text: string };
}

/** The draft and the field after a view of the thread. */
export function seeDraft(draft: Draft, text: string, { isGone = false, ...seen }: SeenDraft): NextDraft {
  const next = { ...seen, saving: undefined };
  // Words that are typed before the first view belong to the take that it shows.
  if (draft.take === undefined) return { draft: next, text: text === "" ? seen.stored : text };
  if (!isSameTake(draft.take, seen.take)) {
    // The words cannot be left to a take whose branch was undone, or that was deleted: they stay in the field.
    if (isGone && text !== draft.stored) return { draft: next, text };
    const left = isUnsaved(draft, text) ? { left: { take: draft.take, text } } : {};
    return { draft: next, text: seen.stored, ...left };
  }
  // The answer of a save can be faster than the event of it.
  if (seen.version < draft.version) return { draft, text };
  const isTyped = draft.saving !== undefined || text !== draft.stored;
  return { draft: { ...seen, saving: draft.saving }, text: isTyped ? text : seen.stored };
}

/** Whether the take that the field shows is gone from the thread in a view. */
export function isTakeGone({ take }: Draft, { thread, state }: Pick<SessionView, "thread" | "state">): boolean {
  return take?.thread === thread && takeById(state, take.id)?.deleted !== false;
}

/** Whether the text of the field is neither in the record nor on its way to it. */
export function isUnsaved({ stored, saving }: Draft, text: string): boolean {
  return text !== (saving ?? stored);
}

/** The draft while the text is being saved. */
export function savingDraft(draft: Draft, text: string): Draft {
  return { ...draft, saving: text };
}

/** The draft after the answer to a save: the version of the thread with its words; undefined if the save failed. */
export function savedDraft(draft: Draft, take: DraftTake, version: number | undefined): Draft {
  const { saving } = draft;
  if (saving === undefined || !isSameTake(draft.take, take)) return draft;
  const ended = { ...draft, saving: undefined };
  // A newer view has said already what the record holds.
  return version === undefined || version <= draft.version ? ended : { ...ended, stored: saving, version };
}

/** The text of the field without the prompt that was sent from it: words that were typed meanwhile stay. */
export function withoutPrompt(text: string, prompt: string): string {
  const rest = text.trimStart();
  return rest.startsWith(prompt) ? rest.slice(prompt.length).trimStart() : text;
}

function isSameTake(a: Draft["take"], b: Draft["take"]): boolean {
  return a?.thread === b?.thread && a?.id === b?.id;
}
