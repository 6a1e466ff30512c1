import { describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { ACTIONS } from "../testing/walk-actions.ts";
import { Walker } from "../testing/walker.ts";
import { World } from "../testing/world.ts";
import { promptEntryId, resultEntryId, stepEntryId } from "./entry-ids.ts";
import { entryIdAt, entryName, hashPrefix, operationName, parseNumberedName, parsePoint, turnName } from "./names.ts";
import type { Operation } from "./operation.ts";
import type { State } from "./state.ts";
import { entries, takes, turn } from "./view.ts";

/** The turn numbers in a log, by the ids of the turns. */
function numbersIn(log: readonly Operation[]): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { kind, take, turn_id = "", diff } of log) {
    if (kind !== "turn-started") continue;
    const made = diff.changes.find(({ id }) => id === `${take}/turn:${turn_id}`);
    if (made?.kind === "create") numbers.set(turn_id, Number(made.after["number"]));
  }
  return numbers;
}

/** The id of the entry that a name leads to in a take. */
function entryIdNamed(state: State, take: string, name: string, numbers: ReadonlyMap<string, number>): string {
  const parsed = parseNumberedName(name);
  if (parsed?.kind !== "entry") return name;
  const there = [...entries(state, take)].map(({ id }) => id);
  const turns = [...numbers].filter(([, number]) => number === parsed.number);
  return turns.map(([id]) => entryIdAt(id, parsed.place)).find((id) => there.includes(id)) ?? "none";
}

const step = fc.tuple(fc.constantFrom(...Object.keys(ACTIONS)), fc.nat(999), fc.nat(999));

describe("names", () => {
  test("[N1] the prompt is 0, answers count from 1, and calls within their answer", () => {
    const numberOf = (id: string) => (id === "turn-a" ? 7 : undefined);
    expect(turnName(7)).toBe("#7");
    expect(entryName(promptEntryId("turn-a"), numberOf)).toBe("#7.0");
    expect(entryName(stepEntryId("turn-a", 2), numberOf)).toBe("#7.2");
    expect(entryName(resultEntryId("turn-a", 2, 1), numberOf)).toBe("#7.2.1");
  });

  test.each([
    ["#7", { kind: "turn", number: 7 }],
    ["7", { kind: "turn", number: 7 }],
    ["#7.0", { kind: "entry", number: 7, place: { step: 0 } }],
    ["7.12", { kind: "entry", number: 7, place: { step: 12 } }],
    ["#7.2.10", { kind: "entry", number: 7, place: { step: 2, position: 10 } }],
  ])("[N1] %s is read", (text, name) => {
    expect(parseNumberedName(text)).toEqual(name);
  });

  test.each(["", "#", "#0", "07", "#7.", "#7.02", "#7.0.1", "#7.1.0", "#7.1.1.1", "7^", "##7", " 7", "1e3", "#-1"])(
    "[N1] '%s' is no name of a turn or an entry",
    (text) => {
      expect(parseNumberedName(text)).toBeUndefined();
    },
  );

  test("[N3] an id that only looks like a turn's is itself the entry's name", () => {
    const numberOf = (id: string) => (id === "t" ? 1 : undefined);
    for (const id of ["t.0", "t.01", "t.1.0", "t.1.2.3", "t.x", "other.1", "t", "a.prompt"])
      expect(entryName(id, numberOf)).toBe(id);
    expect(entryName("t.9.prompt", (id) => (id === "t.9" ? 4 : undefined))).toBe("#4.0");
    expect(entryName("t.9.1", (id) => (id === "t.9" ? 4 : undefined))).toBe("#4.1");
  });

  test("[N2] [N4] after every step of a random walk names are unique in each take, lead back, and never change", () => {
    const walk = (steps: Iterable<readonly [string, number, number]>) => {
      const walker = new Walker();
      const known = new Map<string, string>();
      for (const [name, a, b] of steps) {
        ACTIONS[name]?.(walker, a, b);
        const { state } = walker.world;
        const numbers = numbersIn(walker.world.log);
        expect(new Set(numbers.values()).size, "a number for each turn").toBe(numbers.size);
        for (const take of takes(state)) {
          const seen = new Set<string>();
          for (const { id, turn_id } of entries(state, take.id)) {
            const called = entryName(id, (turn) => numbers.get(turn));
            if (seen.has(called)) throw new Error(`${called} is the name of two entries after ${name} ${a} ${b}`);
            seen.add(called);
            expect(entryIdNamed(state, take.id, called, numbers)).toBe(id);
            expect(known.get(id) ?? called).toBe(called);
            known.set(id, called);
            if (turn_id !== undefined) expect(called).toMatch(/^#\d+\.\d+(?:\.\d+)?$/);
            const record = turn_id === undefined ? undefined : turn(state, take.id, turn_id);
            if (record) expect(called.startsWith(`${turnName(record.number)}.`)).toBe(true);
          }
        }
      }
    };
    fc.assert(fc.property(fc.array(step, { minLength: 1, maxLength: 60, size: "max" }), walk), cases(30));
  });

  test("[N2] [U3] a prompt that stays when its turn is undone keeps its name", () => {
    const world = new World();
    world.turn("first");
    world.turn("second");
    const [, , prompt] = entries(world.state, "t1");
    const called = () => entryName(prompt?.id ?? "", (id) => numbersIn(world.log).get(id));
    expect(called()).toBe("#2.0");
    world.undo({ keep_prompt: true });
    expect([...entries(world.state, "t1")].at(-1)).toMatchObject({ id: prompt?.id, content: "second" });
    expect(called()).toBe("#2.0");
  });
});

describe("names of operations", () => {
  const hash = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 64, maxLength: 64 });

  test("[N5] digits are written as letters from z down to k, at least four", () => {
    expect(operationName("0123456789abcdef".repeat(4), [])).toBe("zyxw");
    expect(operationName("cdef".repeat(16), [])).toBe("nmlk");
    expect(hashPrefix("zyxw")).toBe("0123");
    expect(hashPrefix("nmlk")).toBe("cdef");
  });

  test.each(["", "zzz", "abcd", "zzzz1", "ZZZZ", "z".repeat(65)])("[N5] '%s' is no operation's name", (text) => {
    expect(hashPrefix(text)).toBeUndefined();
  });

  test("[N5] no other operation begins with the same letters as a name, although only neighbours were compared", () => {
    // Few different digits, so that many hashes begin alike.
    const alike = fc
      .tuple(fc.string({ unit: fc.constantFrom("0", "f"), minLength: 8, maxLength: 8 }), hash)
      .map(([head, tail]) => head + tail.slice(8));
    fc.assert(
      fc.property(fc.uniqueArray(fc.oneof(hash, alike), { minLength: 1, maxLength: 60 }), (hashes) => {
        const sorted = hashes.toSorted();
        for (const [at, each] of sorted.entries()) {
          const name = operationName(
            each,
            [sorted[at - 1], sorted[at + 1]].filter((other) => other !== undefined),
          );
          const prefix = hashPrefix(name) ?? "";
          expect(sorted.filter((other) => other.startsWith(prefix))).toEqual([each]);
          const shorter = sorted.filter((other) => other.startsWith(prefix.slice(0, -1)));
          if (name.length > 4) expect(shorter.length).toBeGreaterThan(1);
        }
      }),
    );
  });
});

test("[N6] a point is a name, or with ^ the moment right before it", () => {
  expect(parsePoint("#7")).toEqual({ name: "#7", before: false });
  expect(parsePoint("#7^")).toEqual({ name: "#7", before: true });
  expect(parsePoint("mzkq^")).toEqual({ name: "mzkq", before: true });
});
