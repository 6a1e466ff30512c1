/** Keys in the text field: a prompt, a slash command, a shell command, or a search in earlier prompts. */

import { runningTurn } from "@retake/core";
import { clusters } from "../text/index.ts";
import { send } from "./actions.ts";
import { askCompletion, isTakenByEnter, takeCompletion } from "./complete.ts";
import {
  type Composer,
  composerKey,
  insertText,
  isOnFirstLine,
  isOnLastLine,
  redoEdit,
  replaceText,
  undoEdit,
  withText,
} from "./composer.ts";
import { draftLater, isCommand } from "./draft.ts";
import { foundPrompts } from "./found-prompts.ts";
import type { Model } from "./model.ts";
import { shellPlace } from "./places/text-place.ts";
import { scroll } from "./scroll.ts";
import { goToStart } from "./seek.ts";
import { slashCommand } from "./slash-command.ts";
import { pushPlace, type Step, say, sayWhile, step } from "./step.ts";

type Key = { readonly key: string; readonly text?: string };

export function typingKey(model: Model, { key, text }: Key): Step {
  const { composer, completion, prompts } = model;
  if (prompts.search !== undefined) return searchKey(model, { key, ...(text === undefined ? {} : { text }) });
  if (completion) {
    if (key === "Tab" || (key === "Enter" && isTakenByEnter(model))) return changed(model, takeCompletion(model));
    if (key === "ArrowDown" || key === "ArrowUp") {
      const count = completion.choices.length;
      const selected = (completion.selected + (key === "ArrowDown" ? 1 : count - 1)) % count;
      return step({ ...model, completion: { ...completion, selected, isChosen: true } });
    }
  }
  switch (key) {
    case "Enter":
      return submit(model);
    case "Ctrl+D":
      return composer.text === "" ? leave(model) : changed(model, composerKey(composer, "Delete") ?? composer);
    case "Ctrl+R":
      return step({ ...model, prompts: { ...prompts, search: "", at: 0, typed: composer.text } });
    case "Ctrl+Z":
      return changed(model, undoEdit(composer));
    case "Ctrl+Y":
    case "Ctrl+Shift+Z":
      return changed(model, redoEdit(composer));
    case "Ctrl+U":
      if (composer.text === "") return scroll(model, "half-up");
      break;
    case "ArrowUp":
      if (isOnFirstLine(composer)) return earlier(model, 1);
      break;
    case "ArrowDown":
      if (isOnLastLine(composer)) return earlier(model, -1);
      break;
    case "Ctrl+Home":
      return goToStart(model);
    case "Ctrl+End":
      return scroll(model, "end");
    default:
      break;
  }
  if (key === "?" && composer.text === "") return slashCommand(model, "/help");
  // A person who has undone something types the next command, and not on at the prompt that came back.
  if (text === "/" && composer === model.given && composer.text !== "")
    return changed({ ...model, aside: composer }, replaceText(composer, text));
  if (text !== undefined) return changed(model, insertText(composer, text));
  const next = composerKey(composer, key);
  return next ? changed(model, next) : step(model);
}

/** A turn that runs here would end with the screen, which takes more than one key. */
function leave(model: Model): Step {
  const running = model.view && runningTurn(model.view.state, model.view.take);
  if (running === undefined) return step(model, { kind: "quit" });
  return sayWhile(model, running, "A turn runs: Ctrl+C stops it, and Ctrl+C again leaves.");
}

/** The field changed: completions are asked for, and the draft is saved later. */
export function changed(model: Model, composer: Composer): Step {
  if (composer === model.composer) return step(model);
  if (composer.text === "" && model.aside) return changed({ ...model, aside: undefined }, model.aside);
  const aside = isCommand(composer.text) ? model.aside : undefined;
  const next: Model = { ...model, composer, aside, prompts: { ...model.prompts, at: undefined } };
  const asked = askCompletion(next);
  return step(asked.model, ...asked.effects, ...draftLater(asked.model));
}

export function pastedIntoPrompt(model: Model, text: string): Step {
  if (model.prompts.search !== undefined) return searchFor(model, model.prompts.search + text.replaceAll("\n", " "));
  const composer = insertText(model.composer, text);
  const next: Model = { ...model, composer, state: "typing", completion: undefined };
  return step(next, ...draftLater(next));
}

function submit(model: Model): Step {
  const text = model.composer.text.trim();
  if (text === "") return step(model);
  const next: Model = { ...model, composer: withText(model.composer, ""), completion: undefined, toast: undefined };
  if (text.startsWith("/") && !text.startsWith("//")) {
    const ran = slashCommand({ ...next, composer: model.aside ?? next.composer, aside: undefined }, text);
    return step(
      ran.model,
      { kind: "remember", prompt: text, stored: !model.isPrivate },
      ...ran.effects,
      ...draftLater(ran.model),
    );
  }
  if (text.startsWith("!") && text.length > 1) {
    const command = text.slice(1).trim();
    return step(
      pushPlace({ ...next, composer: model.aside ?? next.composer, aside: undefined }, shellPlace(command)),
      { kind: "remember", prompt: text, stored: !model.isPrivate },
      { kind: "shell", command },
    );
  }
  const sent = send(withPrompt(next, text), text.startsWith("//") ? text.slice(1) : text);
  // The turn takes the draft along when it begins; while it is queued, or was typed on, the draft is emptied here.
  return step(sent.model, ...sent.effects, ...draftLater(sent.model));
}

function withPrompt(model: Model, prompt: string): Model {
  const { prompts } = model;
  const lines = prompts.lines[0] === prompt ? prompts.lines : [prompt, ...prompts.lines];
  return { ...model, prompts: { ...prompts, lines, at: undefined, typed: "" } };
}

/** One prompt further back, or forward to what was typed. */
function earlier(model: Model, by: 1 | -1): Step {
  const { prompts, composer } = model;
  const at = (prompts.at ?? -1) + by;
  if (at < -1 || at >= prompts.lines.length)
    return by < 0 && prompts.at === undefined ? scroll(model, "end") : step(model);
  const typed = prompts.at === undefined ? composer.text : prompts.typed;
  const text = at === -1 ? typed : (prompts.lines[at] ?? "");
  return step({
    ...model,
    composer: replaceText(composer, text),
    completion: undefined,
    prompts: { ...prompts, at: at === -1 ? undefined : at, typed },
  });
}

/** Ctrl+R: typing narrows the list of prompts. */
function searchKey(model: Model, { key, text }: Key): Step {
  const { prompts } = model;
  const search = prompts.search ?? "";
  const found = foundPrompts(prompts);
  const end = (composer: Composer): Step =>
    changed({ ...model, prompts: { ...prompts, search: undefined, at: undefined } }, composer);
  if (key === "Enter" || key === "Tab")
    return end(replaceText(model.composer, found[prompts.at ?? 0] ?? prompts.typed));
  if (key === "Escape") return step({ ...model, prompts: { ...prompts, search: undefined, at: undefined } });
  if (key === "Ctrl+R" || key === "ArrowDown")
    return step({
      ...model,
      prompts: { ...prompts, at: Math.min((prompts.at ?? 0) + 1, Math.max(0, found.length - 1)) },
    });
  if (key === "ArrowUp") return step({ ...model, prompts: { ...prompts, at: Math.max(0, (prompts.at ?? 0) - 1) } });
  if (key === "Backspace") return searchFor(model, [...clusters(search)].slice(0, -1).join(""));
  if (text !== undefined) return searchFor(model, search + text);
  return say(model, "Type words of an earlier prompt.");
}

function searchFor(model: Model, search: string): Step {
  return step({ ...model, prompts: { ...model.prompts, search, at: 0 } });
}
