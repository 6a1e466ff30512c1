/** Lines as bytes for a terminal. Colours are the sixteen of the terminal's own theme; with NO_COLOR only weight remains. */
import { visible } from "../text/index.ts";
import { inAscii } from "./in-ascii.ts";
import type { Line, Span, Tone } from "./line.ts";

/** A line as the terminal gets it. It ends in the default style. */
export type Paint = (spans: Line) => string;

const COLOURS: Readonly<Record<Tone, string>> = {
  plain: "",
  strong: "1",
  quiet: "2",
  accent: "36",
  added: "32",
  removed: "31",
  warning: "33",
  error: "31;1",
  good: "32",
  heading: "1",
  code: "36",
  keyword: "35",
  string: "32",
  selected: "7",
  struck: "2;9",
};

const WITHOUT_COLOURS: Readonly<Record<Tone, string>> = {
  ...COLOURS,
  accent: "1",
  added: "",
  removed: "2",
  warning: "1",
  error: "1",
  good: "",
  code: "",
  keyword: "",
  string: "",
};

export function createPaint(options: { readonly colour: boolean; readonly isUnicode?: boolean }): Paint {
  const { colour, isUnicode = true } = options;
  const codes = colour ? COLOURS : WITHOUT_COLOURS;
  // Most spans of a frame were in the one before.
  const painted = new WeakMap<Span, string>();
  const paint = (span: Span): string => {
    const code = codes[span.tone];
    // Made harmless once more: whatever a screen was given, no control character leaves from here.
    const safe = visible(span.text).replaceAll("\n", "␊");
    const shown = isUnicode ? safe : inAscii(safe);
    const text = code === "" ? shown : `\u001b[${code}m${shown}\u001b[0m`;
    painted.set(span, text);
    return text;
  };
  return (spans) => {
    let text = "";
    for (const span of spans) text += painted.get(span) ?? paint(span);
    return text;
  };
}
