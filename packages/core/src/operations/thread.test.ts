import { describe, expect, test } from "vitest";
import { MemoryHistory } from "../history/history.ts";
import { visibleText, World } from "../testing/world.ts";
import { changeThread, createThread, noteGit, saveThread } from "./thread.ts";

const thread = (world: World) => world.state.thread.get("thread");

describe("a thread", () => {
  test("[L3] is born with its origin, its defaults and the facts that are given", () => {
    const origin = { id: "T-2", workspace_root: "/w", cwd: "/w/src", retake_version: "1", private: true };
    const context = new World().context();
    const made = createThread(context, { origin, facts: { pinned: true }, take: "t", title: "main" });
    expect(made).toMatchObject({ kind: "operation", operation: { kind: "thread-created", scope: "thread" } });
    const created = "operation" in made ? made.operation.diff.changes.find(({ id }) => id === "thread") : undefined;
    expect(created).toMatchObject({ after: { ...origin, title: "main", pinned: true, visibility: "private" } });
  });

  test("[D5] [H3] is deleted softly, and a step brings it back", () => {
    const world = new World();
    const before = visibleText(world.state);
    world.must(changeThread(world.state, world.context(), { facts: { deleted: true, title: "gone" } }));
    expect(thread(world)).toMatchObject({ deleted: true, title: "gone" });
    world.undo({ steps: true });
    expect(visibleText(world.state)).toBe(before);
  });

  test("[L8] that is private stays private", () => {
    const history = new MemoryHistory();
    const world = new World();
    const origin = { id: "T-2", workspace_root: "/w", cwd: "/w", retake_version: "0", private: true };
    const made = createThread(world.context(), { origin, take: "t", title: "main" });
    if ("operation" in made) history.commit(made.operation);
    const shown = changeThread(history.state, world.context(), { facts: { visibility: "public" } });
    expect(shown).toMatchObject({ kind: "refused", code: "invalid-input" });
    expect(changeThread(history.state, world.context(), { facts: { pinned: true } })).toMatchObject({
      kind: "operation",
    });
  });

  test("[O4] facts that are so already change nothing", () => {
    const world = new World();
    const same = changeThread(world.state, world.context(), { facts: { title: "main", pinned: false } });
    expect(same).toMatchObject({ kind: "refused", code: "nothing-to-do" });
  });

  test("[B4] [P1] a save names the point it was made at, in the take it was made in", () => {
    const world = new World();
    world.turn("one");
    const { head } = world.state;
    world.must(saveThread(world.state, world.context(), { save: "s1", name: "before lunch" }));
    expect(world.state.thread.get("save:s1")).toMatchObject({ name: "before lunch", operation: head, take: "t1" });
  });

  test("[L10] what git says is no step: undo passes it over and leaves it", () => {
    const world = new World();
    world.turn("one");
    world.must(noteGit(world.state, world.context(), { git: { branch: "main" } }));
    world.must(noteGit(world.state, world.context(), { git: { commit: "abc" } }));
    world.undo({ steps: true });
    expect(world.contents()).toEqual([]);
    expect(world.state.thread.get("git")).toEqual({ branch: "main", commit: "abc" });
  });
});
