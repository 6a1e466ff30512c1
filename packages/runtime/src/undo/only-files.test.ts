import { activeTake, entries, turn } from "@retake/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SharedWorkspace } from "./testing/shared-workspace.ts";

let shared: SharedWorkspace;
beforeEach(() => {
  shared = new SharedWorkspace();
});
afterEach(() => shared.remove());

test("[H10] [X3] a turn that a jump has left is not reverted, and comes back with its file when the jump is undone", async () => {
  const { workspace } = shared;
  const thread = await workspace.newThread("main");
  await shared.turn(thread, "Say hello.");
  const start = workspace.store.read(thread, ({ state }) => state.head) ?? "";
  await shared.turn(thread, "write a.txt: a");
  const operation = started(thread);
  expect(await workspace.jump(thread, { operation: start })).toMatchObject({ kind: "done" });
  const head = workspace.store.read(thread, ({ state }) => state.head);
  expect(await workspace.revert(thread, { operation })).toMatchObject({ code: "nothing-to-do" });
  expect(workspace.store.read(thread, ({ state }) => state.head)).toBe(head);
  expect(await workspace.undo(thread, {})).toMatchObject({ kind: "done" });
  expect(shared.read("a.txt")).toBe("a");
  expect(await workspace.revert(thread, { operation })).toMatchObject({ kind: "done" });
  expect(shared.read("a.txt")).toBeUndefined();
});

/** The first operation of the last turn. */
function started(thread: string): string {
  return shared.workspace.store.read(thread, ({ state }) => {
    const take = activeTake(state);
    const last = [...entries(state, take)].at(-1);
    return turn(state, take, last?.turn_id ?? "")?.group ?? "";
  });
}
