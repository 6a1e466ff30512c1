import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { activeTake, type Context, type JsonObject, runningTurn, type State, startTool, startTurn } from "@retake/core";
import { afterAll, expect, test } from "vitest";
import { operationsUpTo } from "../store/stored-operations.ts";
import { adoptHead } from "./adopt-head.ts";
import { OperationReader } from "./operation-reader.ts";
import { type BundlePlace, BundlePlaces } from "./testing/bundle-place.ts";

const places = new BundlePlaces();
afterAll(() => places.close());

/** A thread with a turn, and the same on another machine that is now in the middle of the next turn. */
async function twoMachines(name: string) {
  const [here, there] = [places.open(`here ${name}`), places.open(`there ${name}`)];
  const thread = await here.workspace.newThread("shared");
  await here.say(thread, "write a.txt: one");
  await there.import(await here.bundle(thread));
  const call = { id: "c1", name: "bash" };
  const running = { turn_id: "turn", model: "m", step: 1, entry_id: "answer", max_steps: 9, max_retries: 0, usage: {} };
  const execution = { call_id: "c1", name: "bash", entry_id: "result", status: "running", parallel: false };
  const agent = { kind: "executing-tools", turn: running, executions: [execution] } as unknown as JsonObject;
  const change = (build: (state: State, context: Context) => ReturnType<typeof startTurn>) => {
    const done = there.workspace.store.change(thread, build);
    if ("code" in done) throw new Error(done.message);
  };
  change((state, context) =>
    startTurn(state, context, { turn_id: "turn", prompt: { id: "prompt", content: "run make" }, agent }),
  );
  change((state, context) => startTool(state, context, { turn_id: "turn", entry: "result", call, agent }));
  writeFileSync(join(here.workspace.root, "user.txt"), "the user's own");
  return { here, there, thread };
}

const running = ({ workspace }: BundlePlace, thread: string) =>
  workspace.store.read(thread, ({ state }) => runningTurn(state, activeTake(state)));

test("[R8] [L9] [F21] a turn that was running where a bundle was made ends with the import, and no file is its own", async () => {
  const { here, there, thread } = await twoMachines("import");
  expect(await here.import(await there.bundle(thread))).toMatchObject({ operations: 2 });
  expect(running(here, thread)).toBeUndefined();
  await here.workspace.finishInterrupted();
  expect(await here.workspace.undo(thread, {})).toMatchObject({ kind: "done" });
  expect(existsSync(join(here.workspace.root, "user.txt"))).toBe(true);
  expect(here.examine()).toEqual({ healthy: true, problems: [] });
});

test("[L6] [L9] [F21] a turn that runs on another machine is not ended by this one, and no file here is its own", async () => {
  const { here, there, thread } = await twoMachines("sync");
  const { threads } = here.workspace.store.shared;
  const reader = new OperationReader(thread);
  for (const { hash, body } of operationsUpTo(there.workspace.files(thread).database, thread, there.head(thread))) {
    const { operation, stored } = reader.read({ kind: "operation", hash, body });
    if (!threads.hasOperation(thread, operation.id)) threads.receiveSynced(thread, [{ operation, stored }]);
  }
  adoptHead(threads, here.workspace.store.identity, thread, there.head(thread));
  await here.workspace.finishKilled();
  await here.workspace.finishInterrupted();
  expect(running(here, thread)).toBe("turn");
  expect(here.head(thread)).toBe(there.head(thread));
  expect(here.examine()).toEqual({ healthy: true, problems: [] });
});
