import { clusters, textWidth } from "../text/index.ts";

/** The signs that the screens draw with, for a terminal that speaks no UTF-8. */
const SIGNS: Readonly<Record<string, string>> = {
  ...{ "›": ">", "●": "*", "○": "o", "│": "|", "─": "-", "┼": "+", "▌": "|", "▏": "|", "…": "~", "·": "-", "•": "*" },
  ...{ "↑": "^", "↓": "v", "→": ">", "↶": "<", "▸": ">", "▾": "v", "✓": "+", "✗": "x", "⊘": "-", "└": "`", "␊": "$" },
  ...{ "☐": "o", "☑": "+", "␛": "^", "–": "-", "—": "-", "“": '"', "”": '"', "‘": "'", "’": "'" },
};

/** The text in ASCII, as wide as before: a character that has no sign of its own is a question mark. */
export function inAscii(text: string): string {
  let shown = "";
  for (const cluster of clusters(text))
    shown += /^[ -~]$/.test(cluster) ? cluster : (SIGNS[cluster] ?? "?".repeat(textWidth(cluster)));
  return shown;
}
