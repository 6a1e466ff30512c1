import { describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { isRefusal } from "../session/refusal.ts";
import { apply, EMPTY_STATE, orderIndex, recordsIn, type State } from "../session/state.ts";
import { activeTake, entries } from "../session/view.ts";
import { ACTIONS } from "../testing/walk-actions.ts";
import { Walker } from "../testing/walker.ts";
import { World } from "../testing/world.ts";
import { checkpointFormat } from "../wire/checkpoint-format.ts";
import { decode, encode } from "../wire/versioned.ts";
import { foldWindow, narrowWindow } from "./fold-window.ts";
import { cutWindow, type Window, type WindowRequest } from "./window.ts";

const step = fc.tuple(fc.constantFrom(...Object.keys(ACTIONS)), fc.nat(999), fc.nat(999));
const steps = fc.array(step, { minLength: 1, maxLength: 80, size: "max" });
/** The window of each screen: its kind, its length, and the entry it is placed at. */
const screens = fc.array(
  fc.tuple(fc.constantFrom("last", "before", "after"), fc.integer({ min: 1, max: 6 }), fc.nat()),
  {
    minLength: 3,
    maxLength: 6,
  },
);

describe("windows", () => {
  test("[S5] a window folded from operations equals one that is read, after every operation of a random walk", () => {
    const seen = { folded: 0, read: 0 };
    fc.assert(
      fc.property(steps, screens, (list, held) => {
        const walker = new Walker();
        for (const [name, a, b] of list) ACTIONS[name]?.(walker, a, b);
        const states = new Map<string, State>();
        let state = EMPTY_STATE;
        let windows: (Window | undefined)[] = held.map(() => undefined);
        for (const operation of walker.world.log) {
          state = apply(state, operation, (id) => states.get(id) ?? EMPTY_STATE);
          states.set(operation.id, state);
          windows = windows.map((window, index) => {
            const [kind, count, at] = held[index] as (typeof held)[number];
            const folded = window && state.spaces.has(window.take) ? foldWindow(window, operation) : undefined;
            if (!folded) {
              seen.read += 1;
              return read(state, requestOf(state, kind, count, at));
            }
            seen.folded += 1;
            const { from, to, groups, take } = folded;
            expect(text(folded)).toBe(text(must(cutWindow(state, { from, to, groups }, take))));
            const narrow = narrowWindow(folded, 3);
            const { from: begin } = narrow;
            expect(text(narrow)).toBe(text(must(cutWindow(state, { from: begin, to, groups }, take))));
            return folded;
          });
        }
      }),
      cases(25),
    );
    expect(seen.folded).toBeGreaterThan(seen.read);
  });

  test("[S5] a window at an entry has the requested size, and reports its neighbours", () => {
    const world = new World();
    for (let turn = 0; turn < 10; turn += 1) world.turn(`prompt ${turn}`);
    const { state } = world;
    const all = [...entries(state, activeTake(state))];
    const keys = all.map(orderIndex);
    const middle = all[9]?.id as string;
    const seen = (window: Window) => [...entries(window.state, window.take)].map(({ id }) => id);
    const last = must(cutWindow(state, { last: 5 }));
    expect(seen(last)).toEqual(all.slice(-5).map(({ id }) => id));
    expect(last).toMatchObject({ from: keys.at(-5), to: null, previous: keys.at(-6), next: null, total: all.length });
    expect(must(cutWindow(state, { last: all.length }))).toMatchObject({ from: null, previous: null });
    const before = must(cutWindow(state, { before: middle, count: 4 }));
    expect(seen(before)).toEqual(all.slice(5, 9).map(({ id }) => id));
    expect(before).toMatchObject({ from: keys[5], to: keys[8], previous: keys[4], next: keys[9] });
    const after = must(cutWindow(state, { after: middle, count: 4 }));
    expect(seen(after)).toEqual(all.slice(10, 14).map(({ id }) => id));
    expect(after).toMatchObject({ to: keys[13], previous: keys[9], next: keys[14] });
    const { from, to, groups } = before;
    const wider = must(cutWindow(state, { from, to, groups, more_before: 2, more_after: 3 }));
    expect(seen(wider)).toEqual(all.slice(3, 12).map(({ id }) => id));
    expect(seen(must(cutWindow(state, { before: all[0]?.id as string, count: 3 })))).toEqual([]);
    expect(seen(must(cutWindow(state, { after: all.at(-1)?.id as string, count: 3 })))).toEqual([]);
    expect(cutWindow(state, { before: "none", count: 1 })).toMatchObject({ code: "not-found" });
    const read = decode(checkpointFormat, JSON.parse(JSON.stringify(encode(checkpointFormat, last.state))));
    expect(read.kind === "decoded" && text({ ...last, state: read.value })).toBe(text(last));
  });
});

function requestOf(state: State, kind: string, count: number, at: number): WindowRequest {
  const all = [...entries(state, activeTake(state))];
  const entry = all[at % Math.max(1, all.length)];
  if (!entry || kind === "last") return { last: count };
  return kind === "before" ? { before: entry.id, count } : { after: entry.id, count };
}

function read(state: State, request: WindowRequest): Window | undefined {
  return state.spaces.has(activeTake(state)) ? must(cutWindow(state, request)) : undefined;
}

function must(window: ReturnType<typeof cutWindow>): Window {
  if (isRefusal(window)) throw new Error(window.message);
  return window;
}

function text({ state, ...facts }: Window): string {
  const spaces = [...state.spaces.entries()].map(([take, space]) => [take, [...recordsIn(space)]]);
  const { thread, spaces: _, ...rest } = state;
  return JSON.stringify([facts, Object.entries(rest).sort(), [...thread.entries()], spaces], sorted, 1);
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
