import {
  activeTake,
  branch,
  entries,
  insertEntry,
  inThread,
  isRefusal,
  liveTakes,
  type Refusal,
  recordsOf,
  switchTake,
  takes,
} from "@retake/core";
import { afterAll, describe, expect, test } from "vitest";
import { allOperations } from "../answers/history-list.ts";
import { type BundlePlace, BundlePlaces } from "../exchange/testing/bundle-place.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import { findBranchEntry, findCall, findEntry } from "./find-entry.ts";
import { findFiles } from "./find-files.ts";
import { findOperation } from "./find-operation.ts";
import { findPoint } from "./find-point.ts";
import { findReverted } from "./find-reverted.ts";
import { findTake } from "./find-take.ts";
import { findThread, findThreadOrTake, threadNames } from "./find-thread.ts";
import { findTurn } from "./find-turn.ts";
import { entryNames, nameOfOperation, nameOfTurn } from "./name-things.ts";

const places = new BundlePlaces();
afterAll(() => places.close());

/** Throws on a refusal. */
function must<T>(found: T | Refusal): T {
  if (isRefusal(found)) throw new Error(found.message);
  return found;
}

/** All names of a thread: of its turns, of the entries of each take, and of its operations, each with its id. */
function namesIn(workspace: Workspace, thread: string) {
  return workspace.store.names(thread, (scope) => {
    const { state } = scope.history;
    const entryName = entryNames(scope);
    const numbers = Array.from({ length: inThread(state, "numbers")?.turns ?? 0 }, (_, at) => at + 1);
    return {
      turns: numbers
        .flatMap((number) => scope.index.numbered(thread, number))
        .map(({ id }) => [id, nameOfTurn(scope, id)] as const),
      entries: takes(state).map(({ id: take }) =>
        [...entries(state, take)].map(({ id }) => [take, id, entryName(id)] as const),
      ),
      operations: [...allOperations(scope.history)].map(
        ({ operation: { id } }) => [id, nameOfOperation(scope, id)] as const,
      ),
    };
  });
}

/** Every name leads back to what it names, and no two things of a kind have one. */
function checkNames(workspace: Workspace, thread: string): void {
  const names = namesIn(workspace, thread);
  workspace.store.names(thread, (scope) => {
    const { state } = scope.history;
    for (const [id, name] of names.turns) expect(must(findTurn(scope, name)).id).toBe(id);
    for (const [take, id, name] of names.entries.flat()) expect(must(findEntry(scope, name, state, take)).id).toBe(id);
    for (const [id, name] of names.operations) {
      expect(name).toMatch(/^[k-z]{4,}$/);
      expect(must(findOperation(scope, name))).toBe(id);
    }
  });
  expect(new Set(names.operations.map(([, name]) => name)).size).toBe(names.operations.length);
  for (const list of names.entries) expect(new Set(list.map(([, , name]) => name)).size).toBe(list.length);
}

/** A thread with a retry, an undone turn, a note by hand and a second take in it. */
async function grownThread(place: BundlePlace): Promise<string> {
  const { workspace } = place;
  const thread = await workspace.newThread("login");
  await place.say(thread, "write a.txt: one");
  await place.say(thread, "write a.txt: two\nwrite b.txt: b");
  const entry = { id: workspace.store.identity.entryId(), content: "a note" };
  workspace.store.change(thread, (state, context) => insertEntry(state, context, { entry }));
  await place.say(thread, "write c.txt: c");
  await workspace.undo(thread, { keep_prompt: true });
  await place.say(thread, "write d.txt: d");
  await workspace.changeWithFiles(thread, (history, context) => {
    const first = workspace.store.names(thread, (scope) => must(findBranchEntry(scope, "#1")));
    return branch(history, context, { entry: first.id, take: "t2" });
  });
  await place.say(thread, "write e.txt: e");
  return thread;
}

describe("names in a store", () => {
  test("[N1] [N2] [N4] [N5] [X12] every name leads back, and a store that imported the thread gives the same ones", async () => {
    const here = places.open("here");
    const thread = await grownThread(here);
    checkNames(here.workspace, thread);
    const there = places.open("there");
    await there.import(await here.bundle(thread));
    checkNames(there.workspace, thread);
    expect(namesIn(there.workspace, thread)).toEqual(namesIn(here.workspace, thread));
    expect(namesIn(here.workspace, thread).turns.map(([, name]) => name)).toEqual(["#1", "#2", "#3", "#4", "#5"]);
    const main = here.workspace.store.read(thread, ({ state }) => takes(state)[0]?.id);
    const own = namesIn(here.workspace, thread).entries.flatMap((list) => list.filter(([take]) => take === main));
    expect(own.map(([, , name]) => name)).toEqual([
      ...["#1.0", "#1.1", "#1.1.1", "#1.2", "#2.0", "#2.1", "#2.1.1", "#2.1.2", "#2.2"],
      // By hand; then the prompt that was kept of a turn that is undone.
      ...[expect.stringMatching(/^[k-z]{12}$/), "#3.0", "#4.0", "#4.1", "#4.1.1", "#4.2"],
    ]);
    // After it was rebuilt from its operations, too.
    expect(there.examine()).toEqual({ healthy: true, problems: [] });
  });

  test("[N6] [F61] a turn is its end and with ^ the moment right before it, whatever became of it", async () => {
    const place = places.open("points");
    const { workspace } = place;
    const thread = await grownThread(place);
    const files = (name: string) => {
      const { tree } = must(findFiles(workspace, thread, name)) as { tree: string };
      return [...workspace.files(thread).files(tree).entries()].map(([path]) => String(path));
    };
    expect(files("#1^")).toEqual([]);
    expect(files("1")).toEqual(["a.txt"]);
    expect(files("#2^")).toEqual(files("#1"));
    expect(files("#2")).toEqual(["a.txt", "b.txt"]);
    // Undone, and in the first take.
    expect(files("#3")).toEqual(["a.txt", "b.txt", "c.txt"]);
    expect(files("#3^")).toEqual(["a.txt", "b.txt"]);
    expect(files("#4")).toEqual(["a.txt", "b.txt", "d.txt"]);
    // In the second take, which has only the first turn of the other one.
    expect(files("#5^")).toEqual(["a.txt"]);
    expect(files("#5")).toEqual(["a.txt", "e.txt"]);
    workspace.store.names(thread, (scope) => {
      const { operation } = must(findPoint(scope, "#2"));
      const name = nameOfOperation(scope, operation);
      expect(must(findPoint(scope, name))).toMatchObject({ operation });
      expect(must(findPoint(scope, operation))).toMatchObject({ operation });
      const [parent] = scope.history.operation(operation)?.parents ?? [];
      expect(must(findPoint(scope, `${name}^`))).toMatchObject({ operation: parent });
      const born = [...allOperations(scope.history)].at(-1)?.operation.id ?? "";
      expect(findPoint(scope, `${born}^`)).toMatchObject({ code: "not-found" });
    });
    await workspace.jump(
      thread,
      workspace.store.names(thread, (scope) => must(findPoint(scope, "#2"))),
    );
    expect(workspace.store.read(thread, ({ state }) => [...recordsOf(state, activeTake(state), "turn")].length)).toBe(
      2,
    );
    await workspace.jump(
      thread,
      workspace.store.names(thread, (scope) => must(findPoint(scope, "5^"))),
    );
    expect(workspace.store.read(thread, ({ state }) => activeTake(state))).toBe("t2");
    expect(workspace.store.read(thread, ({ state }) => [...recordsOf(state, "t2", "turn")].length)).toBe(1);
  });

  test("[F60] a name that is unknown says what is near it", async () => {
    const place = places.open("near");
    const { workspace } = place;
    const thread = await grownThread(place);
    workspace.store.names(thread, (scope) => {
      const refused = (found: unknown) => (found as Refusal).message;
      expect(findTurn(scope, "#99")).toMatchObject({ code: "not-found", details: { asked: "#99", near: ["#5"] } });
      expect(refused(findEntry(scope, "5.7"))).toContain(
        'no entry "5.7" in this take. Near it: #5.0, #5.1, #5.1.1, #5.2.',
      );
      expect(refused(findEntry(scope, "nobody"))).toContain("Near it: #5.2.");
      expect(refused(findCall(scope, "#5.1"))).toContain("Near it: #5.1.1.");
      expect(refused(findTake(scope.history.state, "mian"))).toContain("Near it: main, main_take_1.");
      const { operation } = must(findPoint(scope, "5"));
      const name = nameOfOperation(scope, operation);
      const mistyped = [..."zyxwvuts"].map((letter) => `${name.slice(0, 3)}${letter}`);
      const wrong = mistyped.map((each) => findOperation(scope, each)).find((found) => isRefusal(found)) as Refusal;
      expect(wrong).toMatchObject({ code: "not-found", details: { near: expect.arrayContaining([name]) } });
      expect(must(findReverted(scope, "5.1.1"))).toEqual({ result: must(findCall(scope, "#5.1.1")).id });
    });
    expect(findThread(workspace, "logn")).toMatchObject({ code: "not-found", details: { near: ["login"] } });
  });

  test("[R6] [M2] two machines that worked apart may give one number: it is that of the active take", async () => {
    const [one, two] = [places.open("one"), places.open("two")];
    const thread = await one.workspace.newThread("apart");
    await one.say(thread, "write a.txt: 1");
    await two.import(await one.bundle(thread));
    await one.say(thread, "write b.txt: here");
    await two.say(thread, "write c.txt: there");
    const turns = [one, two].map(({ workspace }) =>
      workspace.store.names(thread, (scope) => must(findTurn(scope, "#2")).id),
    );
    await one.import(await two.bundle(thread));
    const { workspace } = one;
    expect(workspace.store.read(thread, ({ state }) => liveTakes(state)).map(({ name }) => name)).toEqual([
      "main",
      "main_take_1",
    ]);
    for (const { id: take } of workspace.store.read(thread, ({ state }) => liveTakes(state))) {
      await workspace.changeWithFiles(thread, ({ state }, context) => switchTake(state, context, { take }));
      workspace.store.names(thread, (scope) => {
        const own = must(findTurn(scope, "#2")).id;
        const [, other] = turns[0] === own ? turns : turns.toReversed();
        expect(turns).toContain(own);
        expect(nameOfTurn(scope, own)).toBe("#2");
        expect(nameOfTurn(scope, other ?? "")).toBe(other);
        expect(must(findEntry(scope, "#2.0")).turn_id).toBe(own);
      });
      checkNames(workspace, thread);
    }
    await workspace.changeWithFiles(thread, (history, context) =>
      branch(history, context, {
        entry: workspace.store.names(thread, (scope) => must(findBranchEntry(scope, "1"))).id,
        take: "t9",
      }),
    );
    workspace.store.names(thread, (scope) => {
      expect(findTurn(scope, "2")).toMatchObject({ code: "ambiguous", details: { near: turns.toSorted() } });
      expect(findPoint(scope, "2^")).toMatchObject({ code: "ambiguous" });
    });
    await one.say(thread, "write d.txt: 3");
    expect(workspace.store.names(thread, (scope) => must(findTurn(scope, "#3")).number)).toBe(3);
  });
});

test("[F60] a thread and its first take have names of their own, and what is both is told apart by ids", async () => {
  const { workspace } = places.open("threads");
  const thread = await workspace.newThread("login");
  const other = await workspace.newThread("main");
  const take = workspace.store.read(thread, ({ state }) => liveTakes(state)[0]);
  expect(take?.name).toBe("main");
  expect(findThreadOrTake(workspace, thread, "login")).toMatchObject({ kind: "thread", thread: { id: thread } });
  expect(findThreadOrTake(workspace, thread, "main")).toMatchObject({
    code: "ambiguous",
    details: { near: [`the thread ${other}`, `the take ${take?.id}`] },
  });
  expect(findThreadOrTake(workspace, thread, other)).toMatchObject({ kind: "thread" });
  expect(findThreadOrTake(workspace, thread, take?.id ?? "")).toMatchObject({ kind: "take", take: { name: "main" } });
  const nameOf = threadNames(workspace, thread);
  expect(workspace.threads().map(nameOf).toSorted()).toEqual([other, "login"].toSorted());
});
