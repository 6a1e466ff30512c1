import headless from "@xterm/headless";
import { expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { type DrawnFrame, frameDiff } from "./frame-diff.ts";
import { type Line, lineText, span } from "./line.ts";
import { createPaint } from "./paint.ts";

const ROWS = 5;
const paint = createPaint({ colour: true });
const aLine = fc.array(
  fc.record({
    text: fc.constantFrom("one", "世界", " two ", "👩‍👩‍👧", ""),
    tone: fc.constantFrom("plain", "added", "selected"),
  }),
  { maxLength: 3 },
);
const aFrame = fc
  .array(aLine, { minLength: ROWS, maxLength: ROWS })
  .map((lines) => lines.map((spans): Line => spans.map(({ text, tone }) => span(text, tone as "plain"))));

test("a terminal that got only the differences shows the last frame", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aFrame, { minLength: 1, maxLength: 6 }), async (frames) => {
      const terminal = new headless.Terminal({ cols: 40, rows: ROWS, allowProposedApi: true });
      let before: DrawnFrame | undefined;
      for (const frame of frames) {
        const next: DrawnFrame = { lines: frame.map(paint), cursor: undefined };
        const bytes = frameDiff(before, next);
        await new Promise<void>((resolve) => terminal.write(bytes, resolve));
        before = next;
      }
      const shown = Array.from({ length: ROWS }, (_, row) =>
        terminal.buffer.active.getLine(row)?.translateToString(true).trimEnd(),
      );
      expect(shown).toEqual((frames.at(-1) ?? []).map((each) => lineText(each).trimEnd()));
    }),
    cases(30),
  );
});

test("nothing is written where nothing differs, and one line where one does", () => {
  const frame = { lines: ["a", "b", "c"], cursor: { row: 1, column: 1 } };
  expect(frameDiff(frame, { ...frame })).toBe("");
  const changed = frameDiff(frame, { ...frame, lines: ["a", "x", "c"] });
  expect(changed).toContain("\u001b[2;1Hx\u001b[K");
  expect(changed).not.toContain("\u001b[1;1H");
});
