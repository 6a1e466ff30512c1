import { expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { preview } from "./entry.ts";

/** The definition: all white space is one space, and more than `length` characters are cut. */
function wholePreview(content: string, length: number): string {
  const line = content.replace(/\s+/g, " ").trim();
  const characters = [...line.slice(0, length * 2)];
  return characters.length <= length && line.length <= length * 2 ? line : `${characters.slice(0, length).join("")}…`;
}

test("[A3] a preview is the beginning of the whole text on one line, however the text is cut to make it", () => {
  const piece = fc.oneof(
    fc.constantFrom(" ", "\n\n", "\t", " ".repeat(300)),
    fc.string({ unit: "grapheme", maxLength: 20 }),
  );
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 70 }), (content, length) => {
      expect(preview({ content }, length)).toBe(wholePreview(content, length));
    }),
    cases(300),
  );
});
