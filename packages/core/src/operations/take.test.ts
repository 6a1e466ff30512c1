import { describe, expect, test } from "vitest";
import { branch, branchFrom } from "../history/branch.ts";
import { activeTake, entryAt, liveTakes, takeById, tree } from "../session/view.ts";
import { World } from "../testing/world.ts";
import { MAX_NAME } from "../values/text.ts";
import { noteFilesEdited } from "./files.ts";
import { deleteTake, promoteTake, renameTake, switchTake } from "./take.ts";

function twoTakes(): World {
  const world = new World();
  world.turn("one", "1", "tree-1");
  world.turn("two", "2", "tree-2");
  const entry = entryAt(world.state, "t1", 1)?.id ?? "";
  world.must(branch(world.history, world.context(), { entry, take: "t2" }));
  return world;
}

const firstEntry = (world: World) => entryAt(world.state, "t1", 0)?.id ?? "";

describe("takes", () => {
  test("[A7] [D3] [T1] a branch holds everything up to and including the entry, and the files of that moment", () => {
    const world = twoTakes();
    expect([activeTake(world.state), world.contents(), tree(world.state, "t2")]).toEqual([
      "t2",
      ["one", "1"],
      "tree-1",
    ]);
    expect(takeById(world.state, "t2")?.name).toBe("main_take_1");
    expect([world.contents("t1").length, tree(world.state, "t1")]).toEqual([4, "tree-2"]);
  });

  test("[R8] [T1] a branch of a take with the longest name has a name that every machine accepts", () => {
    const world = twoTakes();
    for (const name of ["n".repeat(MAX_NAME), `${"n".repeat(MAX_NAME - 10)}${"🙂".repeat(5)}`]) {
      world.must(renameTake(world.state, world.context(), { take: "t1", name }));
      world.must(
        branch(world.history, { ...world.context(), take: "t1" }, { entry: firstEntry(world), take: world.id("t") }),
      );
      const branched = takeById(world.state, activeTake(world.state))?.name ?? "";
      expect([branched.endsWith("_take_1"), branched.isWellFormed()]).toEqual([true, true]);
    }
  });

  test("[A1] [A7] [T1] a branch may give its last entry another text, in one step; the take that is left keeps its own", () => {
    const world = twoTakes();
    const entry = entryAt(world.state, "t1", 3)?.id ?? "";
    const at = { ...world.context(), take: "t1" };
    world.must(branch(world.history, at, { entry, take: "t3", content: "another 2" }));
    expect([world.contents("t3"), world.contents("t1").at(-1)]).toEqual([["one", "1", "two", "another 2"], "2"]);
    expect(branch(world.history, at, { entry, take: "t4", content: 4 as never })).toMatchObject({ kind: "refused" });
  });

  test("[A7] [T1] [F25] a branch after the last turn has the current files; one at a prompt, those before its turn", () => {
    const world = twoTakes();
    world.must(noteFilesEdited(world.state, world.context(), { tree: "tree-by-hand" }));
    const entry = entryAt(world.state, "t2", 1)?.id ?? "";
    world.must(branch(world.history, world.context(), { entry, take: "t3" }));
    expect(tree(world.state, "t3")).toBe("tree-by-hand");
    const first = entryAt(world.state, "t1", 0)?.id ?? "";
    world.must(branch(world.history, { ...world.context(), take: "t1" }, { entry: first, take: "t4" }));
    expect(tree(world.state, "t4")).toBe("tree-0");
  });

  test("[L12] a branch can continue from a past state", () => {
    const world = twoTakes();
    const past = world.history.stateAt(world.log[3]?.id ?? "");
    world.must(branchFrom(world.state, world.context(), { past, from: "t1", take: "t3" }));
    expect([world.contents(), takeById(world.state, "t3")?.name]).toEqual([["one", "1"], "main_take_2"]);
  });

  test("[B6] [B8] switches takes, and promotes one to a name at the top level only", () => {
    const world = twoTakes();
    world.must(switchTake(world.state, world.context(), { take: "t1" }));
    expect(switchTake(world.state, world.context(), { take: "t1" })).toMatchObject({ code: "nothing-to-do" });
    const within = promoteTake(world.state, world.context(), { take: "t2", name: "x_take_1" });
    expect(within).toMatchObject({ code: "invalid-input" });
    world.must(promoteTake(world.state, world.context(), { take: "t2", name: "idea" }));
    expect(liveTakes(world.state).map((take) => take.name)).toEqual(["main", "idea"]);
  });

  test("[B7] [D5] [T2] refuses a name in use and the deletion of the last take; undo brings a deleted take back", () => {
    const world = twoTakes();
    expect(renameTake(world.state, world.context(), { take: "t2", name: "main" })).toMatchObject({
      code: "already-exists",
    });
    world.must(deleteTake(world.state, world.context(), { take: "t2" }));
    expect([activeTake(world.state), world.contents("t2")]).toEqual(["t1", ["one", "1"]]);
    expect(deleteTake(world.state, world.context(), { take: "t1" })).toMatchObject({ code: "last-take" });
    world.undo({ steps: true });
    expect([activeTake(world.state), liveTakes(world.state).length]).toEqual(["t2", 2]);
  });
});
