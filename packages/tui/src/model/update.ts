/** The next model and what is to be done, after an event. The only way from one model to another. */
import { answered, failed } from "./answers.ts";
import { completionArrived } from "./complete.ts";
import { saveDraft } from "./draft.ts";
import { edited } from "./edited.ts";
import type { Event } from "./effect.ts";
import { followed, told, viewed } from "./follow.ts";
import { pasted, pressed } from "./keys.ts";
import type { Model } from "./model.ts";
import { mouse } from "./mouse.ts";
import { openedPlace } from "./places/opened-place.ts";
import { commandEnded, printed } from "./places/text-place.ts";
import { quiet, withQuestion } from "./question.ts";
import { type Step, say, step } from "./step.ts";

export function update(model: Model, event: Event): Step {
  return withQuestion(model, changed(model, event));
}

/** Words about a server that did not answer are not true any more when it is there again. */
function connection(model: Model, connected: boolean): Model {
  const isOver = connected && !model.connected && model.toast?.tone === "error";
  return { ...model, connected, toast: isOver ? undefined : model.toast };
}

function changed(model: Model, event: Event): Step {
  switch (event.type) {
    case "key":
      return pressed({ ...model, keys: model.keys + 1 }, event);
    case "paste":
      return pasted({ ...model, keys: model.keys + 1 }, event.text);
    case "mouse":
      return mouse(model, event);
    case "resized":
      return step({ ...model, size: { columns: event.columns, rows: event.rows }, selection: undefined });
    case "tick":
      return step({ ...model, now: event.now });
    case "viewed":
      return viewed(model, event.view, event.now);
    case "told":
      return told(model, event.event);
    case "connection":
      // Saves that failed meanwhile are tried again.
      return (event.connected ? saveDraft : step)(connection(model, event.connected));
    case "answered":
      return answered(model, event.tag, event.answer);
    case "failed":
      return failed(model, event);
    case "opened":
      return step({ ...model, isOpen: true, status: { ...model.status, root: event.root } });
    case "followed":
      return followed(model, event.thread);
    case "edited":
      return edited(model, event);
    case "printed":
      return printed(model, event.text);
    case "command-ended":
      return commandEnded(model, event.code);
    case "completed":
      return completionArrived(model, event);
    case "question-quiet":
      return quiet(model, event);
    case "draft-quiet":
      return saveDraft(model);
    case "toast-over":
      return step(model.toast?.text === event.text ? { ...model, toast: undefined } : model);
    case "open":
      return openedPlace(model, event.name, event.about);
    case "said":
      return say(model, event.text, event.tone);
  }
}
