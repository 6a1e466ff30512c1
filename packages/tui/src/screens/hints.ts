/** The last line: what the keys do in the place where the user is. The most important come first; what has no room is left out. */
import { runningTurn } from "@retake/core";
import { type Line, lineWidth, type Span, span } from "../draw/line.ts";
import type { Model } from "../model/model.ts";

export type Hint = readonly [key: string, does: string];

export function hintLine(hints: readonly Hint[], width: number): Line {
  const spans: Span[] = [];
  for (const [key, does] of hints) {
    const next = [span(spans.length === 0 ? " " : "   "), span(key, "strong"), span(` ${does}`, "quiet")];
    if (lineWidth(spans) + lineWidth(next) > width) break;
    spans.push(...next);
  }
  return spans;
}

export function talkHints(model: Model, width: number): Line {
  return hintLine(talkHintList(model), width);
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
      ["y", "allow"],
      ["n", "deny"],
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
      ["e", "edit"],
      ["r", "review"],
      ["h", "history"],
      ["t", "takes"],
      ["?", "keys"],
      ["Tab", "write"],
    ];
  if (isRunning)
    return [
      ["Esc Esc", "stop"],
      ["Enter", "queue"],
      ["PgUp PgDn", "scroll"],
      ["Ctrl+O", "whole"],
      ["Ctrl+C", "stop"],
    ];
  if (composer.text !== "")
    return [
      ["Enter", "send"],
      ["Alt+Enter", "new line"],
      ["Ctrl+C", "clear"],
      ["Esc", "move"],
      ["Ctrl+X E", "editor"],
    ];
  return [
    ["Enter", "send"],
    ["Esc", "move"],
    ["Esc Esc", "take back"],
    ["Ctrl+Z", "undo"],
    ["Ctrl+Y", "redo"],
    ["Ctrl+P", "commands"],
    ["Ctrl+R", "prompts"],
    ["Ctrl+C", "leave"],
  ];
}
