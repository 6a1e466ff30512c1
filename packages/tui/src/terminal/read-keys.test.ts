import { describe, expect, test } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { readKeys } from "./read-keys.ts";

const ESC = "\u001b";

describe("what a terminal sends", () => {
  test.each([
    ["a", "a"],
    ["世", "世"],
    ["\r", "Enter"],
    ["\n", "Ctrl+J"],
    ["\t", "Tab"],
    ["\u007f", "Backspace"],
    ["\u001a", "Ctrl+Z"],
    ["\u0019", "Ctrl+Y"],
    [`${ESC}[A`, "ArrowUp"],
    [`${ESC}OB`, "ArrowDown"],
    [`${ESC}[1;5C`, "Ctrl+ArrowRight"],
    [`${ESC}[Z`, "Shift+Tab"],
    [`${ESC}[5~`, "PageUp"],
    [`${ESC}[H`, "Home"],
    [`${ESC}OQ`, "F2"],
    [`${ESC}\r`, "Alt+Enter"],
    [`${ESC}b`, "Alt+B"],
    [`${ESC}[13;2u`, "Shift+Enter"],
    [`${ESC}[122;5u`, "Ctrl+Z"],
    [`${ESC}[122;6u`, "Ctrl+Shift+Z"],
    [`${ESC}[27u`, "Escape"],
    [`${ESC}[57414u`, "Enter"],
    [`${ESC}[57421;129u`, "PageUp"],
    [`${ESC}[127;130u`, "Backspace"],
  ])("%j is %s", (bytes, key) => {
    expect(readKeys(bytes).events).toMatchObject([{ type: "key", key }]);
  });

  test("a space with Shift types a space, and a key that has no character types nothing", () => {
    expect(readKeys(`${ESC}[32;2u`).events).toEqual([{ type: "key", key: " ", text: " " }]);
    // Caps Lock, and numbers that are no character.
    for (const code of [57358, 1_114_112, "9".repeat(400)]) expect(readKeys(`${ESC}[${code}u`).events).toEqual([]);
  });

  test("an escape alone is a key only when nothing follows", () => {
    expect(readKeys(ESC)).toEqual({ events: [], rest: ESC });
    expect(readKeys(ESC, true).events).toEqual([{ type: "key", key: "Escape" }]);
    expect(readKeys(`${ESC}${ESC}`, true).events).toHaveLength(2);
  });

  test("a paste is one event, with its line ends as one, whatever it holds", () => {
    const { events } = readKeys(`${ESC}[200~one\r\ntwo${ESC}[A${ESC}[201~y`);
    expect(events).toEqual([
      { type: "paste", text: `one\ntwo${ESC}[A` },
      { type: "key", key: "y", text: "y" },
    ]);
  });

  test("the wheel and the button say where", () => {
    expect(readKeys(`${ESC}[<64;3;7M${ESC}[<0;1;1M${ESC}[<32;1;2M${ESC}[<0;1;2m`).events).toEqual([
      { type: "mouse", action: "wheel-up", row: 6, column: 2 },
      { type: "mouse", action: "press", row: 0, column: 0 },
      { type: "mouse", action: "drag", row: 1, column: 0 },
      { type: "mouse", action: "release", row: 1, column: 0 },
    ]);
  });

  test("bytes that arrive in any pieces mean the same", () => {
    const piece = fc.constantFrom(
      "a",
      "é",
      "世",
      `${ESC}[A`,
      `${ESC}[1;5C`,
      "\r",
      `${ESC}[200~x\ny${ESC}[201~`,
      `${ESC}[<64;3;7M`,
      "\u0003",
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
        (pieces, sizes) => {
          const all = pieces.join("");
          const events = [];
          let rest = "";
          for (let at = 0; at < all.length; ) {
            const size = sizes.next().value as number;
            const read = readKeys(rest + all.slice(at, at + size));
            events.push(...read.events);
            rest = read.rest;
            at += size;
          }
          expect(events).toEqual(readKeys(all).events);
          expect(rest).toBe("");
        },
      ),
    );
  });
});
