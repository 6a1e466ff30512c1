/**
 * A question is answered by a key only after it was on the screen while nothing was typed for a moment: an earlier press was not
 * meant for it. Where there is a draft, or a row has the focus, Tab goes to the question.
 */
import { QUIET_MS } from "@retake/client/screen";
import { openQuestion } from "../screens/question-lines.ts";
import { talkLayout } from "../screens/talk.ts";
import { call, type Effect } from "./effect.ts";
import type { Model } from "./model.ts";
import { type Step, say, step } from "./step.ts";

/**
 * After every event: whether keys answer the question. They do so no longer when the question, the text field, the state or the
 * place has changed. A question that the user sees anew, with nothing typed, is answerable after a moment.
 */
export function withQuestion(before: Model, { model, effects }: Step): Step {
  const question = openQuestion(model)?.call_id;
  const isSame = question === openQuestion(before)?.call_id;
  const isLeft =
    before.answerable !== undefined &&
    (!isSame || !isSeen(model) || model.composer.text !== before.composer.text || model.state !== before.state);
  const next: Model = {
    ...model,
    answerable: isLeft || question === undefined ? undefined : model.answerable,
    questionScroll: isSame ? model.questionScroll : 0,
  };
  const isNew = question !== undefined && isFree(next) && !(isSame && isFree(before));
  const isChanged = next.answerable !== model.answerable || next.questionScroll !== model.questionScroll;
  return { model: isChanged ? next : model, effects: isNew ? [...effects, whenQuiet(next, question)] : effects };
}

/** Nothing covers the question, and keys are not for a row or a search. */
function isSeen({ places, state, prompts }: Model): boolean {
  return places.length === 0 && state === "typing" && prompts.search === undefined;
}

function isFree(model: Model): boolean {
  const isHere = model.elsewhere === undefined || openQuestion(model)?.call_id !== model.elsewhere;
  return isSeen(model) && model.composer.text === "" && isHere;
}

function whenQuiet({ keys }: Model, question: string): Effect {
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
  return step(isFree(model) ? { ...model, answerable: event.call } : model);
}

/** A key while the question has the focus; undefined where it says nothing to it. */
export function answerKey(model: Model, key: string): Step | undefined {
  const question = openQuestion(model);
  if (!question || model.answerable !== question.call_id) return undefined;
  if (key === "ArrowUp" || key === "ArrowDown") {
    const last = talkLayout(model).lastQuestionScroll;
    const scroll = Math.min(model.questionScroll, last) + (key === "ArrowUp" ? -1 : 1);
    const questionScroll = Math.max(0, Math.min(scroll, last));
    return step({ ...model, questionScroll });
  }
  if (key === "Tab") return step({ ...model, answerable: undefined, state: "typing" });
  const decision =
    key === "y" ? "allow" : key === "n" ? "deny" : key === "a" && question.always ? "allow-always" : undefined;
  if (decision === undefined || model.thread === undefined) return undefined;
  const { turn_id, call_id } = question;
  const answer = call("decideApproval", [model.thread, turn_id, call_id, { decision }], {
    for: "decided",
    call: call_id,
  });
  return step({ ...model, answerable: undefined }, answer);
}

/** Goes to the question from the text field, or from a row. */
export function focusQuestion(model: Model): Step | undefined {
  const question = openQuestion(model);
  if (!question || question.call_id === model.elsewhere) return undefined;
  const next: Model = { ...model, answerable: question.call_id, state: "typing", toast: undefined };
  return model.composer.text === "" ? step(next) : say(next, "The question is in focus; your draft stays.");
}
