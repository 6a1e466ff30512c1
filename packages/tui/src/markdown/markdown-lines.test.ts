import fc from "fast-check";
import { expect, test } from "vitest";
import { lineText } from "../draw/line.ts";
import { markdownLines } from "./markdown-lines.ts";

const shown = (text: string, width = 40) => markdownLines(text, width).map(lineText);

test("an answer that grows looks at every point as if it had come at once", () => {
  const piece = fc.constantFrom(
    "words ",
    "\n",
    "\n\n",
    "```ts\n",
    "```\n",
    "- item\n",
    "| a | b |\n",
    "|---|---|\n",
    "`c` ",
    "\r\n",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const grown = pieces.map((_, at) => shown(pieces.slice(0, at + 1).join("")));
      const whole = pieces.map((_, at) => {
        // Another text in between, so that nothing is known of this one.
        shown("another text\n\nand more\n\n");
        return shown(pieces.slice(0, at + 1).join(""));
      });
      expect(grown).toEqual(whole);
    }),
  );
});

test("a fence that is not closed yet is shown as code", () => {
  expect(shown("text\n\n```ts\nconst a = 1;")).toEqual(["text", "", "│ const a = 1;"]);
});
