/**
 * The draft of the thread and the text field. The draft is a record: what an undo gives back, what another screen types and what
 * was typed yesterday comes into the field, unless something newer was typed there (`seeDraft`). Typing is saved after a pause.
 */
import { type DraftTake, isTakeGone, isUnsaved, savedDraft, savingDraft, seeDraft } from "@retake/client/screen";
import { setting } from "@retake/core";
import { withText } from "./composer.ts";
import { call, type Effect } from "./effect.ts";
import type { Model } from "./model.ts";
import { type Step, step } from "./step.ts";

/** Long enough that a prompt which is typed at once is no step of the history before its turn. */
const DRAFT_MS = 3000;
/** A kill loses no more than this of steady typing. */
const LONGEST_MS = 5000;

/** After the view changed. */
export function takeDraft(model: Model): Step {
  const { view, composer } = model;
  if (!view) return step(model);
  const { thread, state, take } = view;
  const seen = {
    take: { thread, id: take },
    stored: setting(state, take, "draft"),
    version: state.version,
    isGone: isTakeGone(model.draft, view),
  };
  // A command that is being typed hides the field.
  const isHidden = isCommand(composer.text);
  const field = isHidden ? (model.aside ?? withText(composer, "")) : composer;
  const { draft, text, left } = seeDraft(model.draft, field.text, seen);
  const isNew = text !== field.text;
  const next = isNew ? withText(composer, text) : field;
  const shown = isHidden ? { aside: isNew ? next : model.aside } : { composer: next };
  return step(
    { ...model, draft, ...shown, ...(isNew ? { given: next } : {}) },
    ...(left && !isCommand(left.text) ? [save(left.take, left.text)] : []),
  );
}

/** After the field changed. */
export function draftLater(model: Model): readonly Effect[] {
  if (!hasUnsaved(model)) return [];
  return [{ kind: "after", id: "draft", milliseconds: DRAFT_MS, most: LONGEST_MS, event: { type: "draft-quiet" } }];
}

export function saveDraft(model: Model): Step {
  const { composer, draft } = model;
  // One save after the other: its answer saves what was typed meanwhile.
  if (!draft.take || draft.saving !== undefined || !hasUnsaved(model)) return step(model);
  // A save is a change of the thread: a plan that is looked at would not be true any more.
  if (model.quick || model.places.some(({ kind }) => kind === "plan")) return step(model, ...draftLater(model));
  return step({ ...model, draft: savingDraft(draft, composer.text) }, save(draft.take, composer.text));
}

/** Saves all that is typed: also while a plan is open or a save is on its way, because the screen ends. */
export function lastSave(model: Model): Step {
  return saveDraft({ ...model, places: [], quick: undefined, draft: { ...model.draft, saving: undefined } });
}

/** After the answer to a save, with the thread's version; without one it failed, and the next key or connection saves again. */
export function draftSaved(model: Model, take: DraftTake, version?: number): Step {
  const next: Model = { ...model, draft: savedDraft(model.draft, take, version) };
  return step(next, ...(version === undefined ? [] : draftLater(next)));
}

function hasUnsaved({ draft, composer }: Model): boolean {
  return draft.take !== undefined && isUnsaved(draft, composer.text) && !isCommand(composer.text);
}

/** A command is not a draft. */
export function isCommand(text: string): boolean {
  return /^[/!]/.test(text);
}

function save(take: DraftTake, draft: string): Effect {
  return call("changeSettings", [take.thread, { draft, take: take.id, typing: true }], { for: "draft", take });
}
