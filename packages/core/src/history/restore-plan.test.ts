import { describe, expect, test } from "vitest";
import { noteFilesEdited } from "../operations/files.ts";
import { startTurn } from "../operations/turn.ts";
import { isRefusal } from "../session/refusal.ts";
import { tree } from "../session/view.ts";
import { World } from "../testing/world.ts";
import { completeSnapshotRestore, type FilesRequest, planSnapshotRestore } from "./restore-plan.ts";

describe("a plan to restore files", () => {
  test("[P4] [H17] leads from the current files to those of the snapshot, whichever take made it", () => {
    const world = new World();
    world.turn("one", "1", "tree-1");
    world.must(noteFilesEdited(world.state, world.context({ actor: { kind: "editor" } }), { tree: "tree-3" }));
    expect(plan(world, { snapshot: "S-1", tree: "tree-0" }).files).toEqual({ before: "tree-0", after: "tree-3" });
  });

  test("[X2] completed, changes only the tree of the files, and one undo takes it back", () => {
    const world = new World();
    world.turn("one", "1", "tree-1");
    const made = plan(world, { snapshot: "S-1", tree: "tree-0" });
    expect(world.must(completeSnapshotRestore(world.history, world.context(), made, { tree: "tree-9" }))).toMatchObject(
      {
        kind: "files-restored",
        description: "Restore files from S-1",
      },
    );
    expect([tree(world.state, "t1"), world.contents()]).toEqual(["tree-9", ["one", "1"]]);
    expect(completeSnapshotRestore(world.history, world.context(), made)).toMatchObject({ code: "stale-version" });
    world.undo();
    expect([tree(world.state, "t1"), world.contents()]).toEqual(["tree-1", ["one", "1"]]);
  });

  test("is refused while the agent is working", () => {
    const world = new World();
    world.must(startTurn(world.state, world.context(), { turn_id: "t", prompt: { id: "p", content: "go" } }));
    expect(planSnapshotRestore(world.history, { snapshot: "S-1", tree: "tree-0" })).toMatchObject({
      code: "agent-running",
    });
  });
});

function plan(world: World, request: FilesRequest) {
  const made = planSnapshotRestore(world.history, request);
  if (isRefusal(made)) throw new Error(made.message);
  return made;
}
