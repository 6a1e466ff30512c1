import { describe, expect, test } from "vitest";
import { tree } from "../session/view.ts";
import { World } from "../testing/world.ts";
import { noteFilesEdited, restoreFiles } from "./files.ts";
import { startTurn } from "./turn.ts";

describe("files", () => {
  test("[U4] an outside edit is a note: undo skips it, and it does not end the redo", () => {
    const world = new World();
    world.turn("one", "1", "tree-1");
    world.undo();
    world.must(noteFilesEdited(world.state, world.context(), { tree: "by-hand" }));
    expect(world.undo()).toMatchObject({ kind: "nothing" });
    expect(world.redo()).toMatchObject({ kind: "redone" });
    expect(world.contents()).toEqual(["one", "1"]);
  });

  test("[P4] a restore is a whole step: one undo takes it back, and the conversation stays", () => {
    const world = new World();
    world.turn("one", "1", "tree-1");
    world.must(restoreFiles(world.state, world.context(), { tree: "tree-0", snapshot: "s" }));
    world.undo();
    expect([tree(world.state, "t1"), world.contents()]).toEqual(["tree-1", ["one", "1"]]);
  });

  test("[P4] a restore is refused while the agent works, but outside edits are recorded", () => {
    const world = new World();
    world.must(startTurn(world.state, world.context(), { turn_id: "run", prompt: { id: "p", content: "go" } }));
    const restored = restoreFiles(world.state, world.context(), { tree: "tree-1", snapshot: "s" });
    expect(restored).toMatchObject({ kind: "refused", code: "agent-running" });
    world.must(noteFilesEdited(world.state, world.context(), { tree: "by-hand" }));
    expect(tree(world.state, "t1")).toBe("by-hand");
  });

  test("[O4] a tree equal to the current one is no change", () => {
    const world = new World();
    const noted = noteFilesEdited(world.state, world.context(), { tree: "tree-0" });
    expect(noted).toMatchObject({ kind: "refused", code: "nothing-to-do" });
  });
});
