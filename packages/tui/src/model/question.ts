/**
 * A question is answered by a key only after it was on the screen while nothing was typed for a moment: what was pressed before
 * was not meant for it. Where there is a draft, Tab goes to the question.
 */
import { QUIET_MS } from "@retake/client/screen";
import { openQuestion } from "../screens/question-lines.ts";
import { call, type Effect } from "./effect.ts";
import type { Model } from "./model.ts";
import { type Step, say, step } from "./step.ts";

export function whenQuiet({ keys }: Model, question: string): Effect {
  return {
    kind: "after",
    id: "question",
    milliseconds: QUIET_MS,
    event: { type: "question-quiet", call: question, keys },
  };
}

export function quiet(model: Model, event: { readonly call: string; readonly keys: number }): Step {
  if (openQuestion(model)?.call_id !== event.call || model.answerable === event.call) return step(model);
  if (event.keys !== model.keys) return step(model, whenQuiet(model, event.call));
  const isFree = model.composer.text === "" && model.places.length === 0;
  return step(isFree ? { ...model, answerable: event.call } : model);
}

/** A key while the question has the focus; undefined where it says nothing to it. */
export function answerKey(model: Model, key: string): Step | undefined {
  const question = openQuestion(model);
  if (!question || model.answerable !== question.call_id) return undefined;
  if (key === "ArrowUp" || key === "ArrowDown") {
    const questionScroll = Math.max(0, model.questionScroll + (key === "ArrowUp" ? -1 : 1));
    return step({ ...model, questionScroll });
  }
  if (key === "Tab") return step({ ...model, answerable: undefined, state: "typing" });
  const decision =
    key === "y" ? "allow" : key === "n" ? "deny" : key === "a" && question.always ? "allow-always" : undefined;
  if (decision === undefined || model.thread === undefined) return undefined;
  const { turn_id, call_id } = question;
  const answer = call("decideApproval", [model.thread, turn_id, call_id, { decision }], { for: "decided" });
  return step({ ...model, answerable: undefined }, answer);
}

/** Goes to the question from the text field. */
export function focusQuestion(model: Model): Step | undefined {
  const question = openQuestion(model);
  return question
    ? say({ ...model, answerable: question.call_id, toast: undefined }, "The question is in focus; your draft stays.")
    : undefined;
}
