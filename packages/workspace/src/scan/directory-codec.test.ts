import { expect, test } from "vitest";
import { UNCOVERED_REASONS } from "../model/model.ts";
import type { RecordedState } from "../model/state-codec.ts";
import { type CachedDirectory, decodeDirectory, encodeDirectory } from "./directory-codec.ts";
import { Names } from "./names.ts";
import { PackedStates } from "./packed-states.ts";
import { newStats } from "./stat-table.ts";

const hash = "5e".repeat(32);
const states: (RecordedState | undefined)[] = [
  { kind: "file", hash, size: Number.MAX_SAFE_INTEGER, mode: 0o7777 },
  undefined,
  { kind: "link", hash, size: 3, ignored: true },
  ...UNCOVERED_REASONS.map((reason) => ({ kind: "uncovered" as const, reason })),
];

function directory(path: string): CachedDirectory {
  const names = new Names(states.map((_, index) => `${index} "\xff\n`));
  const stats = newStats(states.length);
  stats.forEach((_, index) => {
    stats[index] = index === 1 ? Number.NaN : index + 0.25;
  });
  const subdirectories = new Set(["a b", "\xe2\x98\x83"]);
  return { path, names, stats, states: PackedStates.of(states), subdirectories, empty: false, ignoredRoot: path };
}

test("[F53] a directory survives encoding and decoding", () => {
  const kept = directory("some/where");
  const found = decodeDirectory("some/where", encodeDirectory(kept));
  expect(found).toEqual(kept);
  expect(states.map((_, index) => found?.states.get(index))).toEqual(states);
  expect(states.map((_, index) => found?.states.isUncovered(index))).toEqual(
    states.map((state) => state?.kind === "uncovered"),
  );
  const empty = {
    ...kept,
    names: new Names([]),
    stats: newStats(0),
    states: PackedStates.of([]),
    subdirectories: new Set<string>(),
  };
  expect(decodeDirectory("", encodeDirectory({ ...empty, path: "", empty: true }))).toMatchObject({
    names: new Names([]),
    empty: true,
  });
});

test("[F53] a directory cached by another version is not used", () => {
  const bytes = encodeDirectory(directory("x"));
  bytes[0] = 2;
  expect(decodeDirectory("x", bytes)).toBe(undefined);
});

test("[F53] a state replaced by a shorter one leaves no bytes behind", () => {
  const packed = PackedStates.of(states);
  packed.set(0, undefined);
  packed.set(2, { kind: "uncovered", reason: "special" });
  expect([packed.get(0), packed.get(2)]).toEqual([undefined, { kind: "uncovered", reason: "special" }]);
});
