import { KEY_MAP } from "@retake/client/screen";
import { type Line, line, span } from "../../draw/line.ts";
import type { TextPlace } from "../model.ts";
import { textPlace } from "./text-place.ts";

const OWN: readonly (readonly [string, string])[] = [
  ["Enter", "send the prompt; while a turn runs it waits for its end"],
  ["Alt+Enter, Ctrl+J", "new line"],
  ["Esc", "move in the conversation; Tab goes back to writing"],
  ["Esc Esc", "the list of turns, to take them back; while a turn runs, stops it"],
  ["Ctrl+Z, Ctrl+Y", "undo and redo: first of the text field, then of the thread, with its files"],
  ["Ctrl+C", "clears the field, then stops the turn, then leaves"],
  ["Ctrl+P or /", "all commands"],
  ["Ctrl+R", "search your earlier prompts; ↑ ↓ walk through them"],
  ["@", "files of the workspace"],
  ["!", "a shell command of your own; what it changes is yours"],
  ["Ctrl+X E", "write the prompt in your editor"],
  ["Ctrl+X Q", "take the prompt that waits back into the field"],
  ["Ctrl+X C", "run the prompts that are paused since Retake ended"],
  ["Ctrl+X Z", "suspend (Ctrl+Z undoes)"],
  ["PgUp, PgDn, wheel", "scroll; G or End follows the end again"],
  ["Ctrl+O", "the whole conversation in your pager: search and copy there"],
  ["F2, Ctrl+X M", "give the mouse to the terminal, for its own selection; Shift+drag always works"],
];

/** Keys of the map that only the page in a browser has, or that mean something else here. */
const NOT_HERE: ReadonlySet<string> = new Set(
  "next-hunk previous-hunk next-file previous-file select side-by-side write".split(" "),
);

/** Everything that keys do. */
export function helpPlace(): TextPlace {
  const row = (keys: string, about: string): Line => line(span(`  ${keys.padEnd(20)} `, "accent"), about);
  const moving = KEY_MAP.filter(({ when }) => when === "moving" || when === "approval");
  const lines: Line[] = [
    line(span("Everywhere", "strong")),
    ...OWN.map(([keys, about]) => row(keys, about)),
    [],
    line(span("Moving, after Esc", "strong")),
    ...moving
      .filter(({ when, action }) => when === "moving" && !NOT_HERE.has(action))
      .map(({ keys, about }) => row(keys.join(", "), about)),
    row("/", "Search all threads"),
    [],
    line(span("A question", "strong")),
    ...moving.filter(({ when }) => when === "approval").map(({ keys, about }) => row(keys.join(", "), about)),
    [],
    line("Commands are the same words as in a shell: /undo 2, /history, /settings model … Tab completes them."),
  ];
  return textPlace("Keys", false, lines);
}
