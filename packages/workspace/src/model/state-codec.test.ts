import { expect, test } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { type Change, UNCOVERED_REASONS } from "./model.ts";
import { decodeChanges, decodeListing, encodeChanges, encodeListing, type RecordedState } from "./state-codec.ts";

const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
const mode = fc.integer({ min: 0, max: 0o7777 });
const size = fc.nat({ max: 2 ** 40 });
const ignored = fc.option(fc.constant(true as const), { nil: undefined });
const state: fc.Arbitrary<RecordedState> = fc
  .oneof(
    fc.record({ kind: fc.constant("file" as const), hash, size, mode, ignored }),
    fc.record({ kind: fc.constant("link" as const), hash, size, ignored }),
    fc.record({ kind: fc.constant("directory" as const), mode, ignored }),
    fc.record({
      kind: fc.constant("uncovered" as const),
      reason: fc.constantFrom(...UNCOVERED_REASONS),
      inherited: ignored,
    }),
  )
  .map((each) => JSON.parse(JSON.stringify(each)));
const path = fc
  .array(fc.integer({ min: 1, max: 255 }), { minLength: 1, maxLength: 40 })
  .map((bytes) => String.fromCharCode(...bytes));

test("change lists survive encoding and decoding", () => {
  const change = fc
    .record({ path, before: fc.option(state, { nil: undefined }), after: fc.option(state, { nil: undefined }) })
    .map((each): Change => JSON.parse(JSON.stringify(each)));
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      expect(decodeChanges(encodeChanges(changes))).toEqual(changes);
    }),
  );
});

test("listings survive encoding and decoding, also those of many pieces", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(path, state)), (entries) => {
      expect(decodeListing(encodeListing(new Map(entries)))).toEqual(new Map(entries));
    }),
  );
  const many = new Map(
    Array.from({ length: 30_000 }, (_, index): [string, RecordedState] => [
      `directory/${index}`,
      { kind: "file", hash: String(index).padStart(64, "0"), size: index, mode: 0o644 },
    ]),
  );
  expect(decodeListing(encodeListing(many))).toEqual(many);
});

test("truncated bytes are an error", () => {
  const bytes = encodeListing([["a", { kind: "directory", mode: 0o755 }]]);
  expect(() => decodeListing(bytes.subarray(0, -1))).toThrow(RangeError);
  expect(() => decodeListing(Buffer.from([99]))).toThrow(/does not know/);
});
