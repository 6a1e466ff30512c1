import { describe, expect, test } from "vitest";
import { branch } from "../history/branch.ts";
import { entries, entryById, inSpace, inThread, recordsOf, tree, turn } from "../session/view.ts";
import { World } from "../testing/world.ts";
import { importEntries } from "./import-entries.ts";

const first = { id: "turn-1", number: 4, prompt: "one", prompt_entry: "a", status: "finished", open: { kept: 1 } };
const second = { id: "turn-2", number: 7, prompt: "two", prompt_entry: "d", status: "finished" };

/** Two turns, and an entry by the user between the entries of the first turn. */
function imported(): World {
  const world = new World();
  const add = (ids: string, more: object = {}) =>
    world.must(
      importEntries(world.state, world.context(), {
        entries: [...ids].map((id) => ({ id, content: `says ${id}` })),
        ...more,
      }),
    );
  add("ab", { turn: first });
  add("x");
  add("c", { turn: first });
  add("de", { turn: second, discussion: { git_commit: "abc" } });
  return world;
}

const said = (world: World, take = "t1") => [...entries(world.state, take)].map(({ id }) => id).join("");

describe("importEntries", () => {
  test("[F37] [D7] [R6] keeps the order, the turns with their numbers and open keys, and the discussion", () => {
    const world = imported();
    expect(said(world)).toBe("abxcde");
    expect([..."abxc"].map((id) => entryById(world.state, "t1", id)?.turn_id)).toEqual([
      "turn-1",
      "turn-1",
      undefined,
      "turn-1",
    ]);
    expect(turn(world.state, "t1", "turn-1")).toMatchObject({ ...first, tree_before: "tree-0", tree_after: "tree-0" });
    expect(inSpace(world.state, "t1", "discussion")).toEqual({ git_commit: "abc" });
    expect(inThread(world.state, "numbers")).toEqual({ turns: 7 });
    world.turn("three");
    expect([...recordsOf(world.state, "t1", "turn")].map(([, { number }]) => number).sort()).toEqual([4, 7, 8]);
  });

  test("[R6] [R8] refuses a turn with a number from which no other machine counts on", () => {
    const world = new World();
    const turn = { ...first, number: 2_000_000_000 };
    const built = importEntries(world.state, world.context(), { entries: [{ id: "a" }], turn });
    expect(built).toMatchObject({ kind: "refused", code: "invalid-input" });
  });

  test("[F37] [G5] [U1] undo and redo treat an imported turn as a whole", () => {
    const world = imported();
    const states = [world.records()];
    const undo = () => {
      world.undo();
      states.push(world.records());
      return said(world);
    };
    expect([undo(), undo(), undo()]).toEqual(["abxc", "abc", ""]);
    expect(turn(world.state, "t1", "turn-1")).toBeUndefined();
    expect(inSpace(world.state, "t1", "discussion")).toBeUndefined();
    for (const state of states.slice(0, -1).reverse()) {
      world.redo();
      expect(world.records()).toEqual(state);
    }
    world.revert({ operation: turn(world.state, "t1", "turn-1")?.group ?? "" });
    expect(said(world)).toBe("xde");
  });

  test("[F37] [T1] a branch holds the imported turns up to its entry", () => {
    const world = imported();
    world.must(branch(world.history, world.context(), { entry: "c", take: "t2" }));
    expect(said(world, "t2")).toBe("abxc");
    expect([...recordsOf(world.state, "t2", "turn")].map(([id]) => id)).toEqual(["turn-1"]);
    expect(tree(world.state, "t2")).toBe("tree-0");
  });

  test("[F37] [G5] [L9] a tool that was running when the document was written does not run here", () => {
    const world = new World();
    const tool = (status: string) => ({ call_id: status, name: "bash", status, progress: { fraction: 0.5 } });
    world.must(
      importEntries(world.state, world.context(), {
        entries: [
          { id: "a", tool_result: tool("running") },
          { id: "b", tool_result: tool("pending") },
        ],
        turn: { ...first, status: "running" },
      }),
    );
    expect(turn(world.state, "t1", "turn-1")?.status).toBe("interrupted");
    expect([..."ab"].map((id) => entryById(world.state, "t1", id)?.tool_result)).toEqual([
      { call_id: "running", name: "bash", status: "unknown" },
      { call_id: "pending", name: "bash", status: "interrupted" },
    ]);
  });

  test("[O3] refuses an entry that exists already, and a turn without a number", () => {
    const world = imported();
    const add = (input: Parameters<typeof importEntries>[2]) => importEntries(world.state, world.context(), input);
    expect(add({ entries: [{ id: "a" }] })).toMatchObject({ code: "already-exists" });
    const { number: _, ...unnumbered } = second;
    expect(add({ entries: [], turn: unnumbered })).toMatchObject({ code: "invalid-input" });
    expect(add({ entries: [] })).toMatchObject({ code: "nothing-to-do" });
  });
});
