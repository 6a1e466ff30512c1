import { describe, expect, test } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { encodePack, readPack } from "./pack.ts";

const name = fc.stringMatching(/^[0-9a-f]{64}$/);
const blob = fc.record({ name, bytes: fc.uint8Array({ minLength: 1, maxLength: 50 }) });
const blobs = fc.uniqueArray(blob, { selector: (each) => each.name, maxLength: 8 });

describe("a pack", () => {
  test("[L5] reads back as the blobs it was made of", () => {
    fc.assert(
      fc.property(blobs, (all) => {
        const pack = encodePack(all);
        const read = readPack(pack);
        if (read.kind !== "pack") throw new Error(read.problem);
        expect(
          read.entries.map(({ name, offset, length }) => ({ name, bytes: pack.slice(offset, offset + length) })),
        ).toEqual(all);
      }),
    );
  });

  test("[L5] is refused when any byte is missing at its end, or one follows it", () => {
    fc.assert(
      fc.property(blobs, (all) => {
        const pack = encodePack(all);
        for (let length = 0; length < pack.length; length += 1)
          expect(readPack(pack.subarray(0, length))).toMatchObject({ kind: "unreadable" });
        expect(readPack(new Uint8Array([...pack, 0]))).toMatchObject({ kind: "unreadable", code: "malformed" });
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    ["a blob twice", { format_version: 1, blobs: [entry("a"), entry("a")] }, 2, "malformed"],
    ["an empty blob", { format_version: 1, blobs: [{ ...entry("a"), length: 0 }] }, 0, "malformed"],
    ["a negative length", { format_version: 1, blobs: [{ ...entry("a"), length: -1 }] }, 0, "malformed"],
    ["a name that is no hash", { format_version: 1, blobs: [{ name: "../x", length: 1 }] }, 1, "malformed"],
    ["a newer version", { format_version: 2, blobs: [entry("a")] }, 1, "newer-version"],
  ])("[L5] is refused with %s", (_, index, rest, code) => {
    const text = new TextEncoder().encode(JSON.stringify(index));
    const head = new Uint8Array(4);
    new DataView(head.buffer).setUint32(0, text.length);
    expect(readPack(new Uint8Array([...head, ...text, ...new Uint8Array(rest)]))).toMatchObject({ code });
  });
});

function entry(letter: string) {
  return { name: letter.repeat(64), length: 1 };
}
