/** Takes in the text that came back from the editor. */
import { replaceText } from "./composer.ts";
import { draftLater } from "./draft.ts";
import { call, changedTag, type Event } from "./effect.ts";
import type { Model } from "./model.ts";
import { changeSetting } from "./places/change-setting.ts";
import { conflictEdited } from "./places/plan-place.ts";
import { type Step, say, step } from "./step.ts";

export function edited(model: Model, { tag, text, problem }: Extract<Event, { type: "edited" }>): Step {
  if (problem !== undefined) return say(model, problem, "error");
  if (text === undefined) return step(model);
  const { thread } = model;
  switch (tag.for) {
    case "composer": {
      const next: Model = { ...model, composer: replaceText(model.composer, text), state: "typing" };
      return step(next, ...draftLater(next));
    }
    case "resolution":
      return conflictEdited(model, tag.path, text);
    default:
      break;
  }
  if (thread === undefined) return step(model);
  switch (tag.for) {
    case "entry":
      return step(model, call("editEntry", [thread, tag.entry, { content: text }], changedTag("Changed the entry")));
    case "insert":
      if (text.trim() === "") return say(model, "Nothing was inserted: the text was empty.");
      return step(
        model,
        call("addEntry", [thread, { before: tag.before, content: text }], changedTag("Inserted an entry")),
      );
    case "setting":
      return changeSetting(model, thread, tag.field, text);
  }
}
