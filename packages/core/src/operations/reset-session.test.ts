import { describe, expect, test } from "vitest";
import { branch } from "../history/branch.ts";
import { setting, tree } from "../session/view.ts";
import { visibleText, World } from "../testing/world.ts";
import { addRole, removeRole } from "./change-lists.ts";
import { changeSetting } from "./change-settings.ts";
import { resetSession } from "./reset-session.ts";
import { deleteTake } from "./take.ts";
import { saveThread } from "./thread.ts";
import { startTurn } from "./turn.ts";

const reset = (world: World) => resetSession(world.state, world.context());

/** Two takes with records of every kind. */
function twoTakes(): World {
  const world = new World();
  world.turn("one", "1", "tree-1");
  world.must(changeSetting(world.state, world.context(), { field: "temperature", value: 0.5 }));
  const entry = [...(world.state.spaces.get("t1")?.order.entries() ?? [])][1]?.[1] ?? "";
  world.must(branch(world.history, world.context(), { entry, take: "t2" }));
  world.turn("two", "2", "tree-2");
  return world;
}

describe("reset", () => {
  test("[S6] [T3] clears every take, keeps takes, files and saves, and one undo brings everything back", () => {
    const world = twoTakes();
    world.must(saveThread(world.state, world.context(), { save: "s" }));
    const before = visibleText(world.state);
    world.must(reset(world));
    expect([world.contents("t1"), world.contents("t2")]).toEqual([[], []]);
    expect(setting(world.state, "t1", "temperature")).toBe(0);
    expect([tree(world.state, "t1"), tree(world.state, "t2")]).toEqual(["tree-1", "tree-2"]);
    expect(world.state.thread.get("save:s")).toBeDefined();
    world.undo();
    expect(visibleText(world.state)).toBe(before);
  });

  test("[S6] a deleted take keeps its content", () => {
    const world = twoTakes();
    world.must(deleteTake(world.state, world.context(), { take: "t2" }));
    world.must(reset(world));
    expect(world.contents("t2")).toEqual(["one", "1", "two", "2"]);
  });

  test("[O4] [R4] a thread whose settings are all defaults has nothing to reset", () => {
    const world = new World();
    for (const value of ["typed", ""])
      world.must(changeSetting(world.state, world.context(), { field: "draft", value }));
    world.must(addRole(world.state, world.context(), { role: "Critic" }));
    world.must(removeRole(world.state, world.context(), { role: "Critic" }));
    expect(reset(world)).toMatchObject({ kind: "refused", code: "nothing-to-do" });
  });

  test("[S6] is refused while an agent works in any take", () => {
    const world = twoTakes();
    world.must(
      startTurn(world.state, world.context({ take: "t1" }), { turn_id: "run", prompt: { id: "p", content: "go" } }),
    );
    expect(reset(world)).toMatchObject({ kind: "refused", code: "agent-running" });
  });
});
