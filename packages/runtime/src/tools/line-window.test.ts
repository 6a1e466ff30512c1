import { describe, expect, it } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { LineWindow } from "./line-window.ts";

describe("LineWindow", () => {
  it("keeps the lines that splitting the whole text would give, however it is cut into pieces", () => {
    const piece = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r", "\r\n"), maxLength: 6 });
    const from = fc.integer({ min: 1, max: 5 });
    fc.assert(
      fc.property(fc.array(piece), from, from, (pieces, first, most) => {
        const window = new LineWindow(first, most, 1000);
        for (const each of pieces) window.add(each);
        window.end();
        const lines = pieces.join("").split("\n");
        const last = lines.pop() ?? "";
        const expected = [...lines.map((line) => line.replace(/\r$/, "")), ...(last === "" ? [] : [last])];
        expect(window.total).toBe(expected.length);
        expect(window.lines).toEqual(expected.slice(first - 1, first - 1 + most));
      }),
    );
  });

  it("holds little of a line that never ends", () => {
    const window = new LineWindow(1, 10, 10_000);
    for (let index = 0; index < 1000; index += 1) window.add("x".repeat(1000));
    window.end();
    expect(window.lines).toEqual([`${"x".repeat(2000)}… (998000 more characters)`]);
  });

  it("shows one line even where it has no room, so that reading on gets further", () => {
    const window = new LineWindow(1, 10, 5);
    window.add("longer than that\nnext\n");
    expect([window.lines, window.full]).toEqual([["longer than that"], true]);
  });
});
