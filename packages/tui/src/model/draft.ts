/**
 * The draft of the thread and the text field. The draft is a record: what an undo gives back, what another screen types and what
 * was typed yesterday comes into the field, unless something newer was typed there. What is typed is saved when nothing was typed for a while.
 */
import { setting } from "@retake/core";
import { withText } from "./composer.ts";
import { call, type Effect } from "./effect.ts";
import type { Model } from "./model.ts";
import { type Step, step } from "./step.ts";

/** Long enough that a prompt which is typed at once is no step of the history before its turn. */
const DRAFT_MS = 3000;

/** After the view changed. */
export function takeDraft(model: Model): Model {
  const { view, composer, draft } = model;
  if (!view) return model;
  const stored = setting(view.state, view.take, "draft");
  if (stored === draft) return model;
  const isTyped = composer.text !== draft && composer.text !== stored;
  return {
    ...model,
    draft: stored,
    composer: isTyped || composer.text === stored ? composer : withText(composer, stored),
  };
}

/** After the field changed. */
export function draftLater(model: Model): readonly Effect[] {
  const { text } = model.composer;
  // A command is not a draft.
  if (model.thread === undefined || text === model.draft || /^[/!]/.test(text)) return [];
  return [{ kind: "after", id: "draft", milliseconds: DRAFT_MS, event: { type: "draft-quiet" } }];
}

export function saveDraft(model: Model): Step {
  const { thread, composer, draft } = model;
  if (thread === undefined || composer.text === draft || /^[/!]/.test(composer.text)) return step(model);
  const save = call("changeSettings", [thread, { draft: composer.text, typing: true }], { for: "draft" });
  return step({ ...model, draft: composer.text }, save);
}
