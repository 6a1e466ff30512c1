/** Where a key goes: the place on top, the question, the row that has the focus, or the text field. */
import { runningTurn } from "@retake/core";
import { interrupt, redoStep, undoStep } from "./actions.ts";
import { replaceText } from "./composer.ts";
import { draftLater } from "./draft.ts";
import type { Model } from "./model.ts";
import { movingKey } from "./moving.ts";
import { openPlace } from "./places/open-place.ts";
import { pasteIntoPlace, placeKey } from "./places/place-key.ts";
import { answerKey, focusQuestion } from "./question.ts";
import { continueQueue, unqueue } from "./queue.ts";
import { scroll, withSeenFocus } from "./scroll.ts";
import { inThread } from "./slash-command.ts";
import { andThen, CLEARED, type Step, say, sayWhile, step, topPlace } from "./step.ts";
import { changed, pastedIntoPrompt, typingKey } from "./typing.ts";

type Key = { readonly key: string; readonly text?: string };

export function pressed(before: Model, event: Key): Step {
  // Only the plan of the switch on the way is carried out; every other key ends the way to an entry.
  const sought = event.key === "Enter" && topPlace(before)?.kind === "plan" ? before.sought : undefined;
  const model: Model = { ...before, sought, lastKey: event.key, chord: "" };
  if (model.selection?.isDone) {
    const { from, to } = model.selection;
    const next = { ...model, selection: undefined };
    if (event.key === "y") return say(next, "Copied.", "plain", { kind: "copy-rows", from, to });
    // Escape and Ctrl+C leave the selection, and nothing else; every other key also does what it always does.
    return event.key === "Escape" || event.key === "Ctrl+C"
      ? step(next)
      : pressed({ ...before, selection: undefined }, event);
  }
  if (before.chord === "Ctrl+X") return chordKey(model, event.key);
  const anywhere = anywhereKey(model, event.key, before);
  if (anywhere) return anywhere;
  // An Escape that closes a place is not the first of two.
  if (topPlace(model)) return placeKey(event.key === "Escape" ? { ...model, lastKey: "" } : model, event);
  const answer = answerKey(model, event.key);
  if (answer) return answer;
  if (event.key === "Escape") return escapeKey(model, before);
  if (event.key === "Tab" && !model.completion && model.prompts.search === undefined) {
    const question = focusQuestion(model);
    if (question) return question;
  }
  return model.state === "moving" ? movingKey(model, event, before.chord) : typingKey(model, event);
}

/** A paste is text, wherever it goes: never a command, and never an answer. */
export function pasted(model: Model, text: string): Step {
  return topPlace(model) ? pasteIntoPlace(model, text) : pastedIntoPrompt(model, text);
}

function anywhereKey(model: Model, key: string, before: Model): Step | undefined {
  switch (key) {
    case "Ctrl+C":
      return leave(model, before);
    case "Ctrl+X":
      return step({ ...model, chord: "Ctrl+X" });
    case "Ctrl+L":
      return step(model, { kind: "redraw" });
    case "F2":
      return toggleMouse(model);
    default:
      break;
  }
  if (topPlace(model)) return undefined;
  switch (key) {
    case "Ctrl+P":
      if (model.composer.text.startsWith("/")) return step({ ...model, state: "typing" });
      return changed({ ...model, state: "typing", aside: model.composer }, replaceText(model.composer, "/"));
    case "Ctrl+O":
      return step(model, { kind: "command", args: inThread(model, ["log"]), terminal: true });
    case "Ctrl+T":
      return openPlace(model, "takes");
    case "PageUp":
      return scroll(model, "page-up");
    case "PageDown":
      return scroll(model, "page-down");
    case "Ctrl+Z":
      if (model.ctrlZ === "suspend") return step(model, { kind: "suspend" });
      return isFieldsOwn(model, "before") ? undefined : undoStep(model);
    case "Ctrl+Y":
    case "Ctrl+Shift+Z":
      return isFieldsOwn(model, "after") ? undefined : redoStep(model);
    default:
      return undefined;
  }
}

/** Whether undo or redo is for the text field: only while it is typed in and has something to undo or redo. */
function isFieldsOwn({ state, composer, prompts }: Model, side: "before" | "after"): boolean {
  return state === "typing" && (composer[side].length > 0 || prompts.search !== undefined);
}

function chordKey(model: Model, key: string): Step {
  switch (key.toLowerCase().replace("ctrl+", "")) {
    case "z":
      return step(model, { kind: "suspend" });
    case "e":
      return step(model, { kind: "edit", text: model.composer.text, tag: { for: "composer" } });
    case "m":
      return toggleMouse(model);
    case "u":
      return openPlace(model, "turns");
    case "c":
      return continueQueue(model);
    case "q":
      return unqueue(model, model.queue.at(-1));
    default:
      return say(model, `Ctrl+X ${key} is no command.`, "warning");
  }
}

function toggleMouse(model: Model): Step {
  const mouse = !model.mouse;
  return say(
    { ...model, mouse },
    mouse
      ? "The mouse scrolls and selects here; Shift and drag is the terminal's own selection."
      : "The mouse is the terminal's: select and copy as everywhere. F2 brings it back.",
    "plain",
    { kind: "mouse", on: mouse },
  );
}

/** First the field, then the turn, then the screen; it says which is next. */
function leave(model: Model, before: Model): Step {
  const place = topPlace(model);
  if (place?.kind === "text" && place.isRunning && place.isShell) return step(model, { kind: "end-shell" });
  if (place) return step({ ...model, places: [] });
  if (model.prompts.search !== undefined) return typingKey({ ...model, lastKey: "" }, { key: "Escape" });
  if (model.composer.text !== "") {
    const next: Model = {
      ...model,
      lastKey: "",
      composer: { ...replaceText(model.composer, ""), killed: model.composer.text },
      completion: undefined,
      state: "typing",
    };
    const words = model.ctrlZ === "suspend" ? "Cleared; Ctrl+V brings it back." : CLEARED;
    return say(next, words, "plain", ...draftLater(next));
  }
  const running = model.view && runningTurn(model.view.state, model.view.take);
  const isSecond = before.lastKey === "Ctrl+C";
  if (running !== undefined && !isSecond)
    return andThen(interrupt(model, running), (next) => sayWhile(next, running, `${STOPPING} Ctrl+C again leaves.`));
  if (isSecond) return step(model, { kind: "quit" });
  return say(model, "Ctrl+C again leaves.");
}

const STOPS = "Esc again stops the turn.";
const STOPPING = "Stopping the turn. Its changes stay until you undo it.";

function escapeKey(model: Model, before: Model): Step {
  if ((before.lastKey === "Ctrl+P" || before.lastKey === "/") && model.aside)
    return changed({ ...model, lastKey: "" }, model.aside);
  if (model.completion) return step({ ...model, completion: undefined, lastKey: "" });
  if (model.prompts.search !== undefined) return typingKey(model, { key: "Escape" });
  const running = model.view && runningTurn(model.view.state, model.view.take);
  const isSecond = before.lastKey === "Escape";
  if (running !== undefined) {
    // Only while the screen says what the second one does.
    if (isSecond && model.toast?.text === STOPS)
      return andThen(interrupt({ ...model, state: "typing" }, running), (next) => sayWhile(next, running, STOPPING));
    return sayWhile(moving(model), running, STOPS);
  }
  if (isSecond && model.composer.text === "") return openPlace({ ...model, state: "typing" }, "turns");
  return step(model.state === "typing" ? moving(model) : { ...model, state: "typing" });
}

/** The row that had the focus has it again, or the last one that is seen. */
function moving(model: Model): Model {
  return withSeenFocus({ ...model, state: "moving" }, "last");
}
