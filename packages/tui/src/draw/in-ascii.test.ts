import fc from "fast-check";
import { expect, test } from "vitest";
import { textWidth } from "../text/index.ts";
import { inAscii } from "./in-ascii.ts";
import { span } from "./line.ts";

test("[F66] a text in ASCII is as wide as before and holds nothing else", () => {
  expect(inAscii("› Müller 世界 ● e\u0301 👩‍👩‍👧 …")).toBe("> M?ller ???? * ? ?? ~");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const { text: shown } = span(text);
      expect(inAscii(shown)).toMatch(/^[ -~]*$/);
      expect(textWidth(inAscii(shown))).toBe(textWidth(shown));
    }),
  );
});
