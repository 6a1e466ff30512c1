import { describe, expect, test } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { fit, line, lineText, lineWidth, span, spread, wrapLine } from "./line.ts";

const text = fc.string({
  unit: fc.constantFrom("a", "bc", " ", "世", "👩‍👩‍👧", "e\u0301", "\u001b[2J", "\t", "🇩🇪", "\u009b"),
  maxLength: 60,
});

describe("[F66] lines", () => {
  test("wrapped, none is wider than the room, and every word is there", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 30 }), (given, width) => {
        const lines = wrapLine(line(given), width);
        for (const each of lines) expect(lineWidth(each)).toBeLessThanOrEqual(width);
        const words = (shown: string) => shown.replaceAll(" ", "");
        expect(words(lines.map(lineText).join(""))).toBe(words(lineText(line(given))));
      }),
    );
  });

  test("cut, none is wider than the room", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 30 }), (given, width) => {
        expect(lineWidth(fit(line(given), width))).toBeLessThanOrEqual(width);
      }),
    );
  });

  test("[F4] hold no character that a terminal obeys", () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(lineText(line(given))).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  test("with two ends fill the width, and give up the right one first", () => {
    expect(lineText(spread([span("left")], [span("right")], 20))).toBe("left           right");
    expect(lineText(spread([span("a longer left")], [span("right")], 14))).toBe("a longer left");
  });
});
