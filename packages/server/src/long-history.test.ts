import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changeSetting } from "@retake/core";
import { directories, Runtime } from "@retake/runtime";
import { actions } from "@retake/runtime/actions";
import { afterEach, beforeEach, expect, test } from "vitest";

let root: string;
let home: string;
let runtime: Runtime;
beforeEach(() => {
  [root, home] = [mkdtempSync(join(tmpdir(), "retake-root-")), mkdtempSync(join(tmpdir(), "retake-home-"))];
  runtime = new Runtime({ directories: directories({ RETAKE_HOME: home }), version: "0", environment: {} });
});
afterEach(async () => {
  await runtime.close();
  for (const folder of [root, home]) rmSync(folder, { recursive: true });
});

test("[S1] [S7] a long history is read in parts, others are served in between, and no page has two states", async () => {
  const id = await runtime.newThread(root, { title: "long" });
  if (typeof id !== "string") throw new Error(id.message);
  runtime.store.together(() => {
    for (let value = 1; value <= 120; value += 1)
      runtime.store.change(id, (state, context) => changeSetting(state, context, { field: "max_tokens", value }));
  });
  const read = async (query: Parameters<typeof actions.getHistory>[0]["query"]) => {
    const given = await actions.getHistory({ runtime, root, change: {}, params: { id }, query, body: undefined });
    if (given.kind !== "answer") throw new Error(given.kind);
    return given.answer;
  };
  const order: string[] = [];
  setImmediate(() => order.push("another"));
  const whole = await read({});
  order.push("history");
  expect(order).toEqual(["another", "history"]);
  expect(whole.can_undo).toBe(true);
  expect(whole.cursor).toBeUndefined();
  expect(whole.operations).toHaveLength(121);
  setImmediate(() =>
    runtime.store.change(id, (state, context) => changeSetting(state, context, { field: "max_tokens", value: 7 })),
  );
  const changed = await read({});
  expect(changed.operations).toHaveLength(122);
  expect(changed.operations[0]?.id).toBe(changed.head);
  expect(changed.operations.slice(1)).toEqual(whole.operations);
  const first = await read({ limit: 60 });
  const rest = await read({ cursor: first.cursor });
  expect([...first.operations, ...rest.operations]).toEqual(changed.operations);
  expect(first.cursor).toBe(changed.operations[59]?.id);
});
