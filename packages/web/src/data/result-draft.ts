/**
 * The result of a conflict that is being written: sides chosen overlap by overlap, and texts written by hand. A choice of
 * sides never discards a text: it is one press away. Kept beside the plan, so that a plan that is left and asked for again,
 * or that changed because the file did, has the texts too.
 */
import { type Conflict, isSameConflict } from "@retake/client/screen";
import type { Use } from "../preview/merge-hunks.ts";
import { Store } from "./store.ts";

export interface ResultDraft {
  /** The conflict that sides are chosen for. */
  readonly conflict: Conflict;
  readonly uses: ReadonlyMap<number, Use>;
  /** Texts that were written by hand, the oldest first. */
  readonly texts: readonly string[];
  /** The text that is shown; undefined: the chosen sides are. */
  readonly shown: number | undefined;
}

/** By the path of the conflict. */
export const resultDrafts = new Store<ReadonlyMap<string, ResultDraft>>(new Map());

/** The draft for a conflict. After its sides changed nothing is chosen; the texts are kept. */
export function draftFor(conflict: Conflict, draft: ResultDraft | undefined): ResultDraft {
  if (draft && isSameConflict(draft.conflict, conflict)) return draft;
  return { conflict, uses: new Map(), texts: draft?.texts ?? [], shown: undefined };
}

export function chooseSide(draft: ResultDraft, overlap: number, use: Use): ResultDraft {
  return { ...draft, uses: new Map(draft.uses).set(overlap, use), shown: undefined };
}

/** Writes on in the text that is shown, or begins another one. */
export function writeText(draft: ResultDraft, text: string): ResultDraft {
  const shown = draft.shown ?? draft.texts.length;
  return { ...draft, texts: [...draft.texts.slice(0, shown), text, ...draft.texts.slice(shown + 1)], shown };
}

export function keepDraft(draft: ResultDraft): void {
  resultDrafts.update((drafts) => new Map(drafts).set(draft.conflict.path, draft));
}

export function forgetDrafts(): void {
  resultDrafts.set(new Map());
}
