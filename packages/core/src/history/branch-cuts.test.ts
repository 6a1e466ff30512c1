import { describe, expect, test } from "vitest";
import { noteFilesEdited, restoreFiles } from "../operations/files.ts";
import { branch } from "../operations/take.ts";
import { entries, tree } from "../session/view.ts";
import { World } from "../testing/world.ts";
import { planUndo } from "./undo-plan.ts";

/** A thread with two turns that changed files, and an entry of the first. */
function twoTurns() {
  const world = new World();
  world.turn("one", "first answer", "tree-1");
  const [, answer] = [...entries(world.state, "t1")];
  return { world, entry: answer?.id ?? "", second: () => world.turn("two", "second answer", "tree-2") };
}

function branchAt(world: World, entry: string): string {
  const take = world.id("t");
  world.must(branch(world.state, world.context(), { entry, take }));
  return take;
}

describe("a branch with the files of an earlier point", () => {
  test("[T1] [H6] passes over a restore that came after that point", () => {
    const { world, entry, second } = twoTurns();
    world.must(restoreFiles(world.state, world.context(), { tree: "tree-0", snapshot: "s" }));
    second();
    const take = branchAt(world, entry);
    expect(tree(world.state, take)).toBe("tree-1");
    const plan = planUndo(world.history);
    expect(plan).toMatchObject({ turns_undone: 1, files: [{ before: "tree-0", after: "tree-1" }] });
  });

  test("[T1] never brings back the files of a turn that it left out", () => {
    const { world, entry, second } = twoTurns();
    second();
    world.must(restoreFiles(world.state, world.context(), { tree: "tree-1", snapshot: "s" }));
    branchAt(world, entry);
    expect(planUndo(world.history, { count: 9 })).toMatchObject({ files: [{ before: "tree-0", after: "tree-1" }] });
  });

  test("[T1] counts a revert behind that point for the conversation alone", () => {
    const { world, second } = twoTurns();
    second();
    const [one, , , answer] = [...entries(world.state, "t1")];
    world.turn("three", "third answer", "tree-3");
    world.revert({ turn: one?.turn_id ?? "" });
    const take = branchAt(world, answer?.id ?? "");
    expect(world.contents()).toEqual(["two", "second answer"]);
    expect(tree(world.state, take)).toBe("tree-2");
    expect(planUndo(world.history, { count: 2, scope: "files" })).toMatchObject({
      files: [
        { before: "tree-1", after: "tree-2" },
        { before: "tree-0", after: "tree-1" },
      ],
    });
  });

  test("[T1] behind the last turn has all that was done to the files", () => {
    const { world, entry } = twoTurns();
    world.must(noteFilesEdited(world.state, world.context(), { tree: "tree-by-hand" }));
    world.must(restoreFiles(world.state, world.context(), { tree: "tree-0", snapshot: "s" }));
    branchAt(world, entry);
    expect(planUndo(world.history)).toMatchObject({
      turns_undone: 0,
      files: [{ before: "tree-by-hand", after: "tree-0" }],
    });
  });

  test("[T1] [U3] can undo the files of a turn whose prompt alone lay behind it", () => {
    const { world, entry, second } = twoTurns();
    second();
    world.undo({ scope: "conversation", keep_prompt: true });
    const take = branchAt(world, entry);
    expect(tree(world.state, take)).toBe("tree-2");
    world.undo({ scope: "files" });
    expect(tree(world.state, take)).toBe("tree-1");
  });
});
