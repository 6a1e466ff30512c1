import { KEY_MAP } from "@retake/client/screen";
import { type Line, line, span } from "../../draw/line.ts";
import type { CtrlZ } from "../../text/undo-words.ts";
import type { TextPlace } from "../model.ts";
import { textPlace } from "./text-place.ts";

type KeyWords = readonly [keys: string, about: string];

const UNDO: Readonly<Record<CtrlZ, readonly KeyWords[]>> = {
  undo: [
    ["Ctrl+Z, Ctrl+Y", "undo and redo: first of the text field, then of the thread, with its files"],
    ["Ctrl+X Z", "suspend, until fg"],
  ],
  suspend: [
    ["Ctrl+Z, Ctrl+X Z", "suspend, until fg"],
    ["Ctrl+Y", "redo: first of the text field, then of the thread, with its files; /undo --step undoes"],
  ],
};

const everywhere = (ctrlZ: CtrlZ): readonly KeyWords[] => [
  ["Enter", "send the prompt; while a turn runs it waits for its end"],
  ["Alt+Enter, Ctrl+J", "new line"],
  ["Esc", "move in the conversation; Tab goes back to writing"],
  ["Esc Esc", "the list of turns, to take them back; while a turn runs, stops it"],
  ...UNDO[ctrlZ],
  ["Ctrl+C", "clears the field, then stops the turn, then leaves"],
  ["Ctrl+D", "leaves, where the field is empty and no turn runs"],
  ["Ctrl+T", "the takes"],
  ["Ctrl+P or /", "all commands"],
  ["Ctrl+R", "search your earlier prompts; ↑ ↓ walk through them"],
  ["@", "files of the workspace"],
  ["!", "a shell command of your own; what it changes is yours"],
  ["Ctrl+X E", "write the prompt in your editor"],
  ["Ctrl+X Q", "take the prompt that waits back into the field"],
  ["Ctrl+X C", "run the prompts that are paused since Retake ended"],
  ["PgUp, PgDn, wheel", "scroll; G or End follows the end again"],
  ["Ctrl+O", "the whole conversation in your pager: search and copy there"],
  ["F2, Ctrl+X M", "give the mouse to the terminal, for its own selection; Shift+drag always works"],
];

/** Keys of the map that only the page in a browser has, or that mean something else here. */
const NOT_HERE: ReadonlySet<string> = new Set(
  "next-hunk previous-hunk next-file previous-file select side-by-side write".split(" "),
);

const ARROWS: Readonly<Record<string, string>> = { ArrowUp: "↑", ArrowDown: "↓" };

function keyWords(keys: readonly string[]): string {
  return keys.join(", ").replace(/Arrow(?:Up|Down)/g, (arrow) => ARROWS[arrow] ?? arrow);
}

/** Everything that keys do. */
export function helpPlace(ctrlZ: CtrlZ): TextPlace {
  const row = (keys: string, about: string): Line => line(span(`  ${keys.padEnd(20)} `, "accent"), about);
  const moving = KEY_MAP.filter(({ when }) => when === "moving" || when === "approval");
  const lines: Line[] = [
    line(span("Everywhere", "strong")),
    ...everywhere(ctrlZ).map(([keys, about]) => row(keys, about)),
    [],
    line(span("Moving, after Esc", "strong")),
    ...moving
      .filter(({ when, action }) => when === "moving" && !NOT_HERE.has(action))
      .map(({ keys, about }) => row(keyWords(keys), about)),
    row("/", "Search all threads"),
    [],
    line(span("A question", "strong")),
    ...moving.filter(({ when }) => when === "approval").map(({ keys, about }) => row(keyWords(keys), about)),
    [],
    line("Commands are the same words as in a shell: /undo 2, /history, /settings model … Tab completes them."),
  ];
  return textPlace("Keys", false, lines);
}
