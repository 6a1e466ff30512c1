import { describe, expect, test } from "vitest";
import { visibleText, World } from "../testing/world.ts";
import { changeThread, createThread, noteGit, saveThread } from "./thread.ts";

const thread = (world: World) => world.state.thread.get("thread");

describe("a thread", () => {
  test("[L3] starts with its origin, its defaults and the given facts", () => {
    const origin = { id: "T-2", workspace_root: "/w", cwd: "/w/src", retake_version: "1", private: true };
    const context = new World().context();
    const made = createThread(context, { origin, facts: { pinned: true }, take: "t", title: "main" });
    expect(made).toMatchObject({ kind: "operation", operation: { kind: "thread-created", scope: "thread" } });
    const created = "operation" in made ? made.operation.diff.changes.find(({ id }) => id === "thread") : undefined;
    expect(created).toMatchObject({ after: { ...origin, title: "main", pinned: true } });
  });

  test("[D5] [H3] a step brings a deleted thread back", () => {
    const world = new World();
    const before = visibleText(world.state);
    world.must(changeThread(world.state, world.context(), { facts: { deleted: true, title: "gone" } }));
    expect(thread(world)).toMatchObject({ deleted: true, title: "gone" });
    world.undo({ steps: true });
    expect(visibleText(world.state)).toBe(before);
  });

  test("[O4] equal facts change nothing", () => {
    const world = new World();
    const same = changeThread(world.state, world.context(), { facts: { title: "main", pinned: false } });
    expect(same).toMatchObject({ kind: "refused", code: "nothing-to-do" });
  });

  test("[B4] [P1] a save names the current point in the current take", () => {
    const world = new World();
    world.turn("one");
    const { head } = world.state;
    world.must(saveThread(world.state, world.context(), { save: "s1", name: "before lunch" }));
    expect(world.state.thread.get("save:s1")).toMatchObject({ name: "before lunch", operation: head, take: "t1" });
  });

  test("[L10] the state of git is no step: undo skips it and leaves it", () => {
    const world = new World();
    world.turn("one");
    world.must(noteGit(world.state, world.context(), { git: { branch: "main" } }));
    world.must(noteGit(world.state, world.context(), { git: { commit: "abc" } }));
    world.undo({ steps: true });
    expect(world.contents()).toEqual([]);
    expect(world.state.thread.get("git")).toEqual({ branch: "main", commit: "abc" });
  });
});
