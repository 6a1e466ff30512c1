import { describe, expect, test } from "vitest";
import { noteFilesEdited } from "../operations/files.ts";
import { noteGit } from "../operations/thread.ts";
import { startTurn } from "../operations/turn.ts";
import { isRefusal } from "../session/refusal.ts";
import { entryAt, tree } from "../session/view.ts";
import { World } from "../testing/world.ts";
import { branch } from "./branch.ts";
import { completeRestore, type FilesRequest, planRestore } from "./restore-plan.ts";

describe("a plan to restore files", () => {
  test("[P4] [U4] [H17] takes back what was done since, newest first, and not what was edited outside", () => {
    const world = new World();
    world.turn("one", "1", "tree-1");
    const after = lastOperation(world);
    world.turn("two", "2", "tree-2");
    world.must(noteFilesEdited(world.state, world.context({ actor: { kind: "editor" } }), { tree: "tree-3" }));
    world.must(noteGit(world.state, world.context(), { git: { branch: "main" } }));
    world.turn("three", "3", "tree-4");
    expect(plan(world, { snapshot: "S-1", tree: "tree-1", after }).files).toEqual([
      { before: "tree-3", after: "tree-4" },
      { before: "tree-1", after: "tree-2" },
    ]);
  });

  test("[P4] [H17] a snapshot of the user's own is gone back to exactly", () => {
    const world = new World();
    world.turn("one", "1", "tree-1");
    expect(plan(world, { snapshot: "S-1", tree: "tree-0" }).files).toEqual([{ before: "tree-0", after: "tree-1" }]);
  });

  test("[X6] [H17] so is one from before the take was branched off, whose files were another take's", () => {
    const world = new World();
    world.turn("one", "1", "tree-1");
    const after = lastOperation(world);
    world.turn("two", "2", "tree-2");
    world.must(branch(world.history, world.context(), { entry: entryAt(world.state, "t1", 3)?.id ?? "", take: "t2" }));
    expect(plan(world, { snapshot: "S-1", tree: "tree-1", after }).files).toEqual([
      { before: "tree-1", after: "tree-2" },
    ]);
  });

  test("[X2] completed, it changes the files' tree alone, and one undo takes it back", () => {
    const world = new World();
    world.turn("one", "1", "tree-1");
    const made = plan(world, { snapshot: "S-1", tree: "tree-0" });
    expect(world.must(completeRestore(world.history, world.context(), made, { tree: "tree-9" }))).toMatchObject({
      kind: "files-restored",
      description: "Restore files from S-1",
    });
    expect([tree(world.state, "t1"), world.contents()]).toEqual(["tree-9", ["one", "1"]]);
    expect(completeRestore(world.history, world.context(), made)).toMatchObject({ code: "stale-version" });
    world.undo();
    expect([tree(world.state, "t1"), world.contents()]).toEqual(["tree-1", ["one", "1"]]);
  });

  test("is refused while the agent works", () => {
    const world = new World();
    world.must(startTurn(world.state, world.context(), { turn_id: "t", prompt: { id: "p", content: "go" } }));
    expect(planRestore(world.history, { snapshot: "S-1", tree: "tree-0" })).toMatchObject({ code: "agent-running" });
  });
});

function lastOperation(world: World): string {
  return world.log.at(-1)?.id ?? "";
}

function plan(world: World, request: FilesRequest) {
  const made = planRestore(world.history, request);
  if (isRefusal(made)) throw new Error(made.message);
  return made;
}
