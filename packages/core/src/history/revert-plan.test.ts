import { describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { addPath, addRole } from "../operations/change-lists.ts";
import { changeSetting } from "../operations/change-settings.ts";
import { editEntry, patchEntry } from "../operations/edit-entry.ts";
import { insertEntry, removeEntry } from "../operations/insert-entry.ts";
import { renameTake, switchTake } from "../operations/take.ts";
import { changeThread } from "../operations/thread.ts";
import { endTool, finishTurn, noteSent, startTool, startTurn, streamTurn } from "../operations/turn.ts";
import { replaceEntries } from "../operations/whole-conversation.ts";
import type { Built } from "../session/draft.ts";
import { entries, entryById, liveTakes } from "../session/view.ts";
import { visible, World } from "../testing/world.ts";
import { branch } from "./branch.ts";
import type { ConflictPolicy } from "./conflict.ts";
import { planRevert } from "./revert-plan.ts";

/** Operations that do not touch the same field of the same record, and whose positions do not depend on each other. */
const INDEPENDENT: readonly ((world: World) => Built)[] = [
  (world) => editEntry(world.state, world.context(), { entry: "e0", content: "edited" }),
  (world) => patchEntry(world.state, world.context(), { entry: "e0", patch: { collapsed: true } }),
  (world) => removeEntry(world.state, world.context(), { entry: "e1" }),
  (world) => insertEntry(world.state, world.context(), { entry: { id: "n1" }, before: "e0" }),
  (world) => insertEntry(world.state, world.context(), { entry: { id: "n2" } }),
  (world) => changeSetting(world.state, world.context(), { field: "temperature", value: 1 }),
  (world) => changeSetting(world.state, world.context(), { field: "top_p", value: 0.5 }),
  (world) => addRole(world.state, world.context(), { role: "Critic" }),
  (world) => addPath(world.state, world.context(), { list: "context", member: { path: "a/b.ts" } }),
  (world) => changeThread(world.state, world.context(), { facts: { title: "new" } }),
  (world) => changeThread(world.state, world.context(), { facts: { pinned: true } }),
];

describe("revert", () => {
  test("[H10] [X3] reverting one of many independent operations equals never having done it", () => {
    const orders = fc.shuffledSubarray([...INDEPENDENT.keys()], { minLength: 1 });
    fc.assert(
      fc.property(orders, fc.nat(), (order, pick) => {
        const reverted = order[pick % order.length];
        const [done, never] = [threeEntries(), threeEntries()];
        let operation = "";
        for (const each of order) {
          const built = INDEPENDENT[each] as (world: World) => Built;
          const { id } = done.must(built(done));
          if (each === reverted) operation = id;
          else never.must(built(never));
        }
        expect(done.revert({ operation })).toMatchObject({ kind: "reverted" });
        expect(withoutKeys(done)).toEqual(withoutKeys(never));
      }),
      cases(200),
    );
  });

  test.each<[ConflictPolicy, string]>([
    ["abort", "C"],
    ["keep", "C"],
    ["overwrite", "A"],
    ["merge", "<<<<<<< now\nC\n=======\nA\n>>>>>>> before\n"],
  ])("[H11] [X1] a later change of the same field is a conflict; %s makes of it", (on_conflict, content) => {
    const world = new World();
    world.must(insertEntry(world.state, world.context(), { entry: { id: "e", content: "A" } }));
    const { id } = world.must(editEntry(world.state, world.context(), { entry: "e", content: "B" }));
    world.must(editEntry(world.state, world.context(), { entry: "e", content: "C" }));
    const before = world.state;
    const plan = planRevert(world.history, { operation: id, on_conflict });
    expect(plan).toMatchObject({ conflicts: [{ record: "t1/entry:e" }] });
    const done = world.revert({ operation: id, on_conflict });
    expect(entryById(world.state, "t1", "e")?.content).toBe(content);
    if (on_conflict === "abort") expect([done, world.state]).toMatchObject([{ code: "conflict" }, before]);
  });

  test("[H11] merge writes markers into texts alone: names, roles and places in the conversation stay as they are", () => {
    const world = threeEntries();
    const revert = (change: (round: number) => Built) => {
      const first = world.must(change(1));
      world.must(change(2));
      const plan = planRevert(world.history, { operation: first.id, on_conflict: "merge" });
      expect(plan).toMatchObject({ conflicts: [{ kind: "entry-edited" }] });
      const [before, takes] = [world.records(), liveTakes(world.state)];
      world.revert({ operation: first.id, on_conflict: "merge" });
      expect([world.records(), liveTakes(world.state)]).toEqual([before, takes]);
    };
    revert((round) => renameTake(world.state, world.context(), { take: "t1", name: `name ${round}` }));
    revert((round) => patchEntry(world.state, world.context(), { entry: "e0", patch: { role: `Role ${round}` } }));
    const model = (value: string) => changeSetting(world.state, world.context(), { field: "model", value });
    world.must(model("a/0"));
    revert((round) => model(`a/${round}`));
    const order = (ids: readonly string[]) =>
      world.must(replaceEntries(world.state, world.context(), { entries: ids.map((id) => ({ id })) }));
    const { id } = order(["e2", "e1", "e0"]);
    order(["e1", "e2", "e0"]);
    expect(world.revert({ operation: id, on_conflict: "merge" })).toMatchObject({ kind: "reverted" });
    expect([...entries(world.state, "t1")].map((entry) => entry.order).join("")).toMatch(/^\w+$/);
  });

  test("[X3] reverting one tool call in the middle removes its entry, its mention and its files; later work stays", () => {
    const world = new World();
    const turn_id = "run";
    world.must(startTurn(world.state, world.context(), { turn_id, prompt: { id: "p", content: "go" } }));
    const calls = ["c1", "c2"].map((id) => ({ id, name: "write", input: {} }));
    world.must(streamTurn(world.state, world.context(), { turn_id, entry: "a", fields: { tool_calls: calls } }));
    for (const [index, call] of calls.entries()) {
      const of = { turn_id, entry: `r${index}` };
      world.must(startTool(world.state, world.context(), { ...of, call }));
      const tree = `tree-${index + 1}`;
      world.must(endTool(world.state, world.context(), { ...of, status: "completed", content: "", tree }));
    }
    world.must(finishTurn(world.state, world.context(), { turn_id, status: "finished" }));
    world.must(editEntry(world.state, world.context(), { entry: "p", content: "edited since" }));
    expect(planRevert(world.history, { result: "r0" })).toMatchObject({
      files: new Map([["t1", [{ before: "tree-0", after: "tree-1" }]]]),
    });
    world.revert({ result: "r0" });
    expect([...entries(world.state, "t1")].map((entry) => entry.id)).toEqual(["p", "a", "r1"]);
    expect(entryById(world.state, "t1", "a")?.tool_calls).toMatchObject([{ id: "c2" }]);
    expect(world.contents()[0]).toBe("edited since");
  });

  test("[X3] reverting a tool call of a turn that was jumped back to takes back only its own files", () => {
    const world = new World();
    writeTurn(world, "one", "tree-1");
    writeTurn(world, "two", "tree-2");
    const both = world.log.at(-1)?.id ?? "";
    world.undo({ count: 2 });
    world.turn("three", "3", "tree-3");
    world.jump(both);
    const plan = planRevert(world.history, { result: "r-one" });
    expect(plan).toMatchObject({ files: new Map([["t1", [{ before: "tree-0", after: "tree-1" }]]]), conflicts: [] });
    world.revert({ result: "r-one" });
    expect([...entries(world.state, "t1")].map((entry) => entry.id)).toEqual([
      "p-one",
      "a-one",
      "p-two",
      "a-two",
      "r-two",
    ]);
  });

  test("[H10] [X3] a turn that a jump has left has nothing left to revert, and can be undone after the jump is taken back", () => {
    const world = new World();
    world.turn("one", "1");
    const start = world.log.at(-1)?.id ?? "";
    const turn = world.turn("two", "2");
    world.jump(start);
    expect(planRevert(world.history, { operation: world.startOf(turn) })).toMatchObject({ code: "nothing-to-do" });
    world.undo();
    expect(world.contents()).toEqual(["one", "1", "two", "2"]);
    world.undo();
    expect(world.contents()).toEqual(["one", "1"]);
  });

  test("[X3] reverting one turn in the middle removes its entries and files; the turns around it stay", () => {
    const world = new World();
    world.turn("one", "1", "tree-1");
    const turn = world.turn("two", "2", "tree-2");
    world.turn("three", "3", "tree-3");
    expect(planRevert(world.history, { operation: world.startOf(turn) })).toMatchObject({
      files: new Map([["t1", [{ before: "tree-1", after: "tree-2" }]]]),
    });
    world.revert({ operation: world.startOf(turn) });
    expect(world.contents()).toEqual(["one", "1", "three", "3"]);
    world.undo();
    expect(world.contents()).toEqual(["one", "1", "two", "2", "three", "3"]);
  });

  test("[H10] [X3] reverting several turns in a row takes back all of them in one step; steps between and later turns stay", () => {
    const world = new World();
    const turns = ["one", "two", "three", "four"].map((name, index) => {
      const turn = world.turn(name, String(index), `tree-${index + 1}`);
      world.must(changeSetting(world.state, world.context(), { field: "temperature", value: (index + 1) / 10 }));
      return world.startOf(turn);
    });
    const [operation = "", until = ""] = [turns[1], turns[2]];
    expect(planRevert(world.history, { operation, until })).toMatchObject({
      turns_undone: 2,
      description: "Revert: 2 turns",
      files: new Map([
        [
          "t1",
          [
            { before: "tree-2", after: "tree-3" },
            { before: "tree-1", after: "tree-2" },
          ],
        ],
      ]),
    });
    world.revert({ operation, until });
    expect(world.contents()).toEqual(["one", "0", "four", "3"]);
    expect(planRevert(world.history, { operation, until })).toMatchObject({ code: "nothing-to-do" });
    world.undo();
    expect(world.contents()).toEqual(["one", "0", "two", "1", "three", "2", "four", "3"]);
    expect(planRevert(world.history, { operation: until, until: operation })).toMatchObject({ code: "invalid-input" });
    expect(planRevert(world.history, { operation, until: "nothing" })).toMatchObject({ code: "invalid-input" });
  });

  test("[H10] [X3] several turns are named by turns of this take: one of another take is refused, one from before the branch is not", () => {
    const world = new World();
    const [one, two] = [world.turn("one"), world.turn("two")].map((turn) => world.startOf(turn));
    const entry = [...entries(world.state, "t1")].at(-1)?.id ?? "";
    world.must(branch(world.history, world.context(), { entry, take: "t2" }));
    const [three, four] = [world.turn("three"), world.turn("four")].map((turn) => world.startOf(turn));
    world.must(switchTake(world.state, world.context(), { take: "t1" }));
    const five = world.startOf(world.turn("five"));
    const refused = (operation = "", until = "") =>
      expect(planRevert(world.history, { operation, until })).toMatchObject({ code: "invalid-input" });
    refused(three, five);
    refused(one, four);
    refused(three, four);
    expect(planRevert(world.history, { operation: two ?? "", until: five })).toMatchObject({ turns_undone: 2 });
    world.must(switchTake(world.state, world.context(), { take: "t2" }));
    refused(one, five);
    expect(planRevert(world.history, { operation: two ?? "", until: four ?? "" })).toMatchObject({ turns_undone: 3 });
  });

  test("[H10] [X3] of several turns, those that are taken back already are left out, also the first and the last", () => {
    const world = new World();
    const [one, two, three] = ["one", "two", "three"].map((name) => world.startOf(world.turn(name)));
    for (const operation of [one ?? "", three ?? ""]) world.revert({ operation });
    expect(planRevert(world.history, { operation: one ?? "", until: three ?? "" })).toMatchObject({
      groups: [{ group: { record: { id: two } } }],
    });
  });
});

/** A turn with one tool call, which changes the files to the given tree. */
function writeTurn(world: World, turn_id: string, tree: string): void {
  const call = { id: `call-${turn_id}`, name: "write", input: {} };
  const result = { turn_id, entry: `r-${turn_id}` };
  const prompt = { id: `p-${turn_id}`, content: turn_id };
  world.must(startTurn(world.state, world.context(), { turn_id, prompt }));
  const answer = { turn_id, entry: `a-${turn_id}`, fields: { tool_calls: [call] } };
  world.must(streamTurn(world.state, world.context(), answer));
  world.must(startTool(world.state, world.context(), { ...result, call }));
  world.must(endTool(world.state, world.context(), { ...result, status: "completed", content: "", tree }));
  world.must(finishTurn(world.state, world.context(), { turn_id, status: "finished" }));
}

function threeEntries(): World {
  const world = new World();
  for (let index = 0; index < 3; index += 1)
    world.must(insertEntry(world.state, world.context(), { entry: { id: `e${index}`, content: `${index}` } }));
  return world;
}

/** Without order keys and times, which depend on when something was done; the order of the entries remains. */
function withoutKeys(world: World): unknown {
  return JSON.parse(JSON.stringify(visible(world.state)), (key, value: unknown) => {
    if (key === "ts" || (key === "order" && typeof value === "string")) return "";
    return key === "order" ? (value as [string, string][]).map(([, id]) => id) : value;
  });
}

describe("a revert in the middle", () => {
  test("[X3] [D2] takes back a turn although a later turn was sent", () => {
    const world = new World();
    for (const turn_id of ["one", "two"]) {
      world.must(
        startTurn(world.state, world.context(), { turn_id, prompt: { id: `${turn_id}-p`, content: turn_id } }),
      );
      world.must(noteSent(world.state, world.context(), { turn_id, discussion: { sent_markdown: turn_id } }));
      world.must(finishTurn(world.state, world.context(), { turn_id, status: "finished" }));
    }
    expect(world.revert({ operation: world.startOf("one") })).toMatchObject({ kind: "reverted" });
    expect(world.contents()).toEqual(["two"]);
    expect(world.state.spaces.get("t1")?.records.get("discussion")).toEqual({ sent_markdown: "two" });
  });
});
