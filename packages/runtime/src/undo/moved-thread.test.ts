import { activeTake, editEntry, entries } from "@retake/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SharedWorkspace } from "./testing/shared-workspace.ts";

let shared: SharedWorkspace;
beforeEach(() => {
  shared = new SharedWorkspace();
});
afterEach(() => shared.remove());

test("[L4] [U1] an undo is decided again when the thread is changed while its files are prepared", async () => {
  const { workspace } = shared;
  const thread = await workspace.newThread("main");
  // More than are staged at once.
  for (let index = 0; index < 100; index += 1) shared.write(`file-${index}.txt`, "old\n");
  await shared.turn(thread, "run sed -i s/old/new/ file-*.txt");
  shared.write("mine.txt", "mine\n");
  let changed = 0;
  const onProgress = ({ what }: { readonly what: string }) => {
    if (what !== "restore" || changed > 0) return;
    changed += 1;
    workspace.store.change(thread, (state, context) => {
      const [first] = entries(state, activeTake(state));
      return editEntry(state, context, { entry: first?.id ?? "", content: "edited meanwhile" });
    });
  };
  expect(await workspace.undo(thread, {}, { onProgress })).toMatchObject({ kind: "done" });
  expect(changed).toBe(1);
  expect([shared.read("file-0.txt"), shared.read("mine.txt")]).toEqual(["old\n", "mine\n"]);
});
