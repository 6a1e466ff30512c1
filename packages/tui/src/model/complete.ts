/** Completion in the text field: words of a slash command, and files after an @. */
import { type Composer, replaceRange } from "./composer.ts";
import type { Event } from "./effect.ts";
import type { Model } from "./model.ts";
import { commandChoices } from "./slash-command.ts";
import { type Step, step } from "./step.ts";

const MOST = 100;

/** Asks what could stand where the cursor is. Answers to earlier questions are dropped by the number of keys. */
export function askCompletion(model: Model): Step {
  const { text, cursor } = model.composer;
  const before = text.slice(0, cursor);
  const without: Model = { ...model, completion: undefined };
  if (before.startsWith("/") && !before.startsWith("//") && !before.includes("\n"))
    return step(without, { kind: "complete", line: before, request: model.keys });
  const [, path] = /(?:^|\s)@([^\s@]*)$/.exec(before) ?? [];
  if (path !== undefined) return step(without, { kind: "files", beginning: path, request: model.keys });
  return step(without);
}

export function completionArrived(model: Model, event: Extract<Event, { type: "completed" }>): Step {
  const { cursor, text } = model.composer;
  const choices = text.startsWith("/") ? commandChoices(text.slice(0, cursor), event.choices) : event.choices;
  if (event.request !== model.keys || choices.length === 0) return step(model);
  const only = choices.length === 1 ? choices[0] : undefined;
  // Nothing is offered that is there already.
  if (only && text.slice(event.from, cursor) === only.word.trimEnd()) return step(model);
  return step({
    ...model,
    completion: { from: event.from, to: cursor, choices: choices.slice(0, MOST), selected: 0, isChosen: false },
  });
}

/** Whether Enter takes the choice instead of sending: one that was gone to, or the end of a command's unfinished name. */
export function isTakenByEnter({ composer: { text }, completion }: Model): boolean {
  if (!completion) return false;
  const isName = /^\/\S*$/.test(text);
  return completion.isChosen || (isName && !completion.choices.some(({ word }) => word.trimEnd() === text));
}

export function takeCompletion({ composer, completion }: Model): Composer {
  const choice = completion?.choices[completion.selected];
  return completion && choice ? replaceRange(composer, completion.from, completion.to, choice.word) : composer;
}
