/** The thread on the screen gives way to another one, or to none. */

import { NO_DRAFT } from "@retake/client/screen";
import { withText } from "./composer.ts";
import type { Model } from "./model.ts";
import { type Step, step } from "./step.ts";

export function showThread(model: Model, thread: string): Step {
  return step({ ...left(model), thread }, { kind: "follow", thread });
}

/** The next prompt begins a thread. Words that are saved stay with the thread that is left. */
export function withoutThread(model: Model): Step {
  const { draft, composer } = model;
  const isSaved = draft.take !== undefined && composer.text === draft.stored;
  const next: Model = { ...left(model), thread: undefined, title: "", draft: NO_DRAFT };
  return step(
    { ...next, composer: isSaved ? withText(composer, "") : composer },
    { kind: "follow", thread: undefined },
  );
}

/** Without facts about the thread that are in no record. */
export function withoutPassing(model: Model): Model {
  return { ...model, quick: undefined, queue: [], questions: new Map(), retry: undefined, progress: undefined };
}

function left(model: Model): Model {
  return { ...withoutPassing(model), view: undefined, anchor: undefined, focus: undefined };
}
