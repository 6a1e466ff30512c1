/** The keys of the conversation, by what is on the screen. */
import { BUDGET, runningTurn } from "@retake/core";
import type { Line } from "../draw/line.ts";
import type { Model } from "../model/model.ts";
import { type Hint, hintLine, hintsWith, WRITING_HINTS } from "./hint-line.ts";

export function talkHints(model: Model, width: number): Line {
  return hintLine(hintsWith(model.ctrlZ, talkHintList(model)), width);
}

function talkHintList(model: Model): readonly Hint[] {
  const { view, state, completion, prompts, selection, composer } = model;
  const isRunning = view !== undefined && runningTurn(view.state, view.take) !== undefined;
  if (selection?.isDone)
    return [
      ["y", "copy the selection"],
      ["Esc", "leave it"],
    ];
  if (model.chord === "Ctrl+X")
    return [
      ["z", "suspend"],
      ["e", "editor"],
      ["q", "edit a waiting prompt"],
      ["c", "run paused prompts"],
      ["m", "mouse"],
      ["u", "undo turn"],
    ];
  if (prompts.search !== undefined)
    return [
      ["Enter", "take it"],
      ["Ctrl+R", "next"],
      ["Esc", "leave"],
    ];
  if (completion)
    return [
      ["Tab", "take it"],
      ["↑↓", "choose"],
      ["Esc", "leave"],
    ];
  if (model.answerable !== undefined)
    return [
      ["y", model.answerable === BUDGET ? "go on" : "allow"],
      ["n", model.answerable === BUDGET ? "stop" : "deny"],
      ["↑↓", "read on"],
      ["Tab", "write instead"],
      ["Esc Esc", "stop the turn"],
    ];
  if (state === "moving")
    return [
      ["j k", "row"],
      ["J K", "turn"],
      ["Enter", "open"],
      ["u", "undo"],
      ["x", "take back only this"],
      ["b", "branch"],
      ["r", "review"],
      ["h", "history"],
      ["t", "takes"],
      ["e", "edit"],
      ["y", "copy"],
      ["?", "keys"],
      ["Tab", "write"],
    ];
  if (isRunning)
    return [
      ["Enter", "queue"],
      ["PgUp PgDn", "scroll"],
      ["Ctrl+O", "whole"],
      ["Esc Esc", "stop"],
    ];
  if (composer.text !== "")
    return [
      ["Enter", "send"],
      ["Alt+Enter", "new line"],
      ["Esc", "move"],
      ["Ctrl+X E", "editor"],
      ["Ctrl+C", "clear"],
    ];
  return WRITING_HINTS;
}
