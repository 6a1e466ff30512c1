import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { insertEntry } from "../operations/insert-entry.ts";
import { resetSession } from "../operations/reset-session.ts";
import { switchTake } from "../operations/take.ts";
import { changeThread } from "../operations/thread.ts";
import type { Operation } from "../session/operation.ts";
import { takeOf } from "../session/record.ts";
import { isRefusal } from "../session/refusal.ts";
import { activeTake, entries, liveTakes, takes } from "../session/view.ts";
import { walkRuns } from "../testing/runs.ts";
import { ACTIONS } from "../testing/walk-actions.ts";
import { Walker } from "../testing/walker.ts";
import { visibleText, World } from "../testing/world.ts";
import { branch } from "./branch.ts";
import { mergeHeads, relate } from "./merge.ts";

const NAMES = Object.keys(ACTIONS);
const steps = fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.nat(999), fc.nat(999)), { maxLength: 15, size: "max" });

/** What is done after a merge, where no naive model follows. A refusal is as good as a deed. */
const DEEDS: readonly ((world: World, pick: number) => unknown)[] = [
  (world, pick) => world.turn(`prompt ${pick}`, world.id("answer"), world.id("tree")),
  (world) => world.undo(),
  (world) => world.undo({ steps: true, count: 2 }),
  (world) => world.redo(),
  (world, pick) => world.revert({ operation: world.log[pick % world.log.length]?.id ?? "" }),
  (world, pick) => world.jump(world.log[pick % world.log.length]?.id ?? ""),
  (world) => world.try(resetSession(world.state, world.context())),
  (world, pick) => {
    const [entry] = [...entries(world.state, activeTake(world.state))].slice(pick % 4);
    return world.try(branch(world.history, world.context(), { entry: entry?.id ?? "", take: world.id("t") }));
  },
  (world, pick) => {
    const live = liveTakes(world.state);
    return world.try(switchTake(world.state, world.context(), { take: live[pick % live.length]?.id ?? "" }));
  },
];
const deeds = fc.array(fc.tuple(fc.nat(DEEDS.length - 1), fc.nat(999)), { maxLength: 8, size: "max" });

describe("merge", () => {
  test("[L7] [M1] [M2] nothing of either line is lost, and undo, redo and jump work afterwards on both", () => {
    fc.assert(
      fc.property(steps, steps, steps, fc.nat(), (common, ours, theirs, pick) => {
        const main = walked(common, ours);
        const other = walked(common, theirs, "other-");
        if (relateTo(main, other) !== "diverged") return;
        const before = visibleText(main.state);
        const shared = walked(common, []).log.length;
        const had = contentsOf(main, changedTakes(main, shared));
        const brought = contentsOf(other, changedTakes(other, shared));
        const merged = merge(main, other);
        const now = contentsOf(
          main,
          takes(main.state).map((take) => take.id),
        );
        for (const text of [...had, ...brought]) expect(now).toContain(text);
        expect(contentsOf(main, changedTakes(main, shared, merged))).toEqual(had);
        // Both may have done the same to the thread: a merge that changes nothing is passed over by undo.
        if (merged.diff.changes.length === 0 && !merged.diff.spaces) return;
        main.undo({ steps: true });
        expect(visibleText(main.state)).toBe(before);
        main.redo();
        const after = visibleText(main.state);
        const jumped = main.jump(other.log[pick % other.log.length]?.id ?? "");
        if (isRefusal(jumped) && jumped.code === "nothing-to-do") return;
        main.undo();
        expect(visibleText(main.state)).toBe(after);
        expect(merged.kind).toBe("heads-merged");
      }),
      walkRuns(40),
    );
  });

  test("[L7] [M1] [M2] two lines that were merged can part again, and a second merge loses nothing either", () => {
    fc.assert(
      fc.property(steps, steps, steps, deeds, deeds, (common, ours, theirs, oursLater, theirsLater) => {
        const main = walked(common, ours);
        const other = walked(common, theirs, "other-");
        if (relateTo(main, other) !== "diverged") return;
        merge(main, other);
        const again = sameLine(main, other);
        const shared = main.log.length;
        for (const [deed, pick] of oursLater) DEEDS[deed]?.(main, pick);
        for (const [deed, pick] of theirsLater) DEEDS[deed]?.(again, pick);
        if (relateTo(main, again) !== "diverged") return;
        const before = visibleText(main.state);
        const had = contentsOf(main, changedTakes(main, shared));
        const brought = contentsOf(again, changedTakes(again, shared));
        const merged = merge(main, again);
        const all = takes(main.state).map((take) => take.id);
        expect(contentsOf(main, all)).toEqual(expect.arrayContaining([...had, ...brought]));
        expect(contentsOf(main, changedTakes(main, shared, merged))).toEqual(had);
        if (merged.diff.changes.length === 0 && !merged.diff.spaces) return;
        const after = visibleText(main.state);
        main.undo({ steps: true });
        expect(visibleText(main.state)).toBe(before);
        main.redo();
        expect(visibleText(main.state)).toBe(after);
      }),
      walkRuns(20),
    );
  });

  test("[M2] a take that both changed stays, and the other's stands beside it, active", () => {
    const [main, other] = diverged();
    expect(merge(main, other)).toMatchObject({ kind: "heads-merged", scope: "thread" });
    expect(
      takes(main.state)
        .map((take) => take.name)
        .sort(),
    ).toEqual(["main", "main_take_1"]);
    expect([main.contents("t1"), main.contents(activeTake(main.state))]).toEqual([["ours"], ["theirs"]]);
  });

  test("[H2] [M2] once a merge is undone, what was done in between is no part of the take's history", () => {
    const [main, other] = [new World(), new World()];
    main.must(changeThread(main.state, main.context({ id: "op-title" }), { facts: { title: "ours" } }));
    other.must(insertEntry(other.state, other.context(), { entry: { id: "theirs", content: "theirs" } }));
    merge(main, other);
    main.turn("one", "1", "tree-1");
    main.undo({ steps: true, count: 2 });
    expect(main.contents("t1")).toEqual([]);
    expect(main.undo({ steps: true })).toMatchObject({ undoes: [{ group: "op-title" }] });
    main.redo(2);
    expect(main.contents("t1")).toEqual(["theirs", "one", "1"]);
  });

  test("[M2] a take that the other line dropped stays with what was done in it here", () => {
    const [main, other] = diverged();
    merge(main, other);
    const again = sameLine(main, other);
    main.turn("one", "1");
    again.undo({ steps: true });
    merge(main, again);
    expect(takes(main.state).flatMap(({ id }) => main.contents(id))).toEqual(
      expect.arrayContaining(["ours", "theirs", "one", "1"]),
    );
  });

  test("[O3] ids for new takes that are none are refused", () => {
    const [main, other] = diverged();
    for (const operation of other.log) main.history.add(operation);
    for (const new_takes of [null, "t", [7], ["a/b"], [""]]) {
      const input = { theirs: other.log.at(-1)?.id ?? "", new_takes } as never;
      expect(mergeHeads(main.history, main.context(), input)).toMatchObject({ kind: "refused", code: "invalid-input" });
    }
  });

  test("[M3] of a fact that both changed the main line's stands, and the other's is told", () => {
    const [main, other] = diverged();
    main.must(changeThread(main.state, main.context({ id: "op-our-title" }), { facts: { title: "ours" } }));
    other.must(changeThread(other.state, other.context(), { facts: { title: "theirs", pinned: true } }));
    for (const operation of other.log) main.history.add(operation);
    const result = mergeHeads(main.history, main.context(), { theirs: other.state.head ?? "", new_takes: ["t9"] });
    expect(result).toMatchObject({ conflicts: [{ record: "thread", field: "title", theirs: "theirs" }] });
    if ("built" in result) main.must(result.built);
    expect(main.state.thread.get("thread")).toMatchObject({ title: "ours", pinned: true });
  });
});

function diverged(): [World, World] {
  const worlds = [new World(), new World()] as [World, World];
  worlds.forEach((world, index) => {
    const id = index === 0 ? "ours" : "theirs";
    world.must(insertEntry(world.state, world.context({ id: `op-${id}` }), { entry: { id, content: id } }));
  });
  return worlds;
}

function merge(main: World, other: World): Operation {
  for (const operation of other.log) main.history.add(operation);
  const new_takes = Array.from({ length: 20 }, () => main.id("merged"));
  const result = mergeHeads(main.history, main.context(), { theirs: other.state.head ?? "", new_takes });
  if (!("built" in result)) throw new Error(result.message);
  return main.must(result.built);
}

function relateTo(main: World, other: World): string {
  for (const operation of other.log) main.history.add(operation);
  return relate(main.history, main.state.head ?? "", other.state.head ?? "").kind;
}

type Steps = readonly (readonly [string, number, number])[];

/** Another copy of a merged thread, which goes on with ids of its own. */
function sameLine(main: World, other: World): World {
  const world = new World();
  for (const operation of other.log) world.history.add(operation);
  for (const operation of main.log.slice(1)) world.try({ kind: "operation", operation });
  const id = world.id.bind(world);
  world.id = (kind = "x") => id(`again-${kind}`);
  return world;
}

/** A walk whose second part has ids of its own. */
function walked(common: Steps, own: Steps, prefix = ""): World {
  const walker = new Walker();
  for (const [name, a, b] of common) ACTIONS[name]?.(walker, a, b);
  const id = walker.world.id.bind(walker.world);
  walker.world.id = (kind = "x") => id(`${prefix}${kind}`);
  for (const [name, a, b] of own) ACTIONS[name]?.(walker, a, b);
  return walker.world;
}

function contentsOf(world: World, of: readonly string[]): string[] {
  return of.flatMap((take) =>
    [...entries(world.state, take)].map((entry) => `${entry.id} ${entry.role} ${entry.content}`),
  );
}

/** The takes that a line changed since it diverged: what it made of them must be there after a merge. */
function changedTakes(world: World, since: number, until?: Operation): string[] {
  const own = world.log.slice(since, until ? world.log.indexOf(until) : undefined);
  const ids = own.flatMap(({ diff }) => [
    ...(diff.spaces ?? []).map((change) => change.take),
    ...diff.changes.flatMap((change) => takeOf(change.id) ?? []),
  ]);
  return [...new Set(ids)];
}
