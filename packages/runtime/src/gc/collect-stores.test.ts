import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { activeTake, branch, entryAt, liveTakes, resetSession, switchTake, takes, tree } from "@retake/core";
import { lockWorkspace, treeId } from "@retake/workspace";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Model, ModelEnd } from "../model/model.ts";
import { listSnapshots } from "../snapshots/find-snapshots.ts";
import { restoreSnapshot } from "../snapshots/restore-snapshot.ts";
import { takeSnapshot } from "../snapshots/take-snapshot.ts";
import { directories } from "../store/directories.ts";
import { SyncRows } from "../store/sync-rows.ts";
import type { Tool } from "../tools/tool.ts";
import { openStoreAndWorkspace, type Workspace } from "../workspace/open-workspace.ts";

let folder: string;
let workspace: Workspace;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-gc-")));
  mkdirSync(join(folder, "work"));
  workspace = open("work");
});
afterEach(async () => {
  await workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(name: string): Workspace {
  const home = directories({ RETAKE_HOME: join(folder, "home") });
  return openStoreAndWorkspace({ directories: home, root: join(folder, name), version: "0" });
}

/** Does one shell command in a turn. */
async function turn(thread: string, command: string): Promise<void> {
  const model: Model = {
    name: "test/model",
    async *stream({ step }) {
      const calls = step === 1 ? [{ id: `call-${command}`, name: "bash", input: { command } }] : [];
      yield { kind: "responded", stop: step === 1 ? "tool-calls" : "end", calls, usage: {} } satisfies ModelEnd;
    },
  };
  const bash: Tool = {
    name: "bash",
    description: "",
    input: {},
    check: () => undefined,
    examine: async () => ({ writes: true, paths: [], command, irreversible: [] }),
    run: async (_, { root }) => {
      execFileSync("/bin/sh", ["-c", command], { cwd: root });
      return { outcome: "completed", content: "ok" };
    },
  };
  const result = await workspace.run({
    thread,
    prompt: command,
    model,
    tools: [bash],
    mode: "all" as const,
    approve: async () => "deny",
    onEvent: () => {},
    signal: new AbortController().signal,
  });
  if (!("status" in result) || result.status !== "finished") throw new Error(JSON.stringify(result));
}

/** The files, as git names them, of every take after every operation; undefined where they are given up. */
function everyTree(thread: string): Map<string, string | undefined> {
  const names = workspace.store.read(thread, (history) => {
    const list: [string, string][] = [];
    for (let at = history.state.head; at !== null; at = history.operation(at)?.parents[0] ?? null)
      for (const { id } of takes(history.stateAt(at))) list.push([`${at} ${id}`, tree(history.stateAt(at), id)]);
    return list.reverse();
  });
  const readable = (name: string) => {
    try {
      const files = workspace.files(thread).files(name);
      for (const [path, state] of files.entries())
        if (state.kind !== "directory") workspace.files(thread).objects.read(state.hash, path);
      return treeId(files);
    } catch {
      return undefined;
    }
  };
  return new Map(names.map(([key, name]) => [key, name === "" ? "" : readable(name)]));
}

async function eventful(options: { private: boolean }): Promise<string> {
  const thread = await workspace.newThread("eventful", options);
  for (let number = 0; number < 4; number += 1) await turn(thread, `echo ${number} > a; echo ${number} > b${number}`);
  const entry = workspace.store.read(thread, ({ state }) => entryAt(state, activeTake(state), 3)?.id ?? "");
  await workspace.changeWithFiles(thread, (history, context) => branch(history, context, { entry, take: "other" }));
  await turn(thread, "echo branched > a");
  const first = workspace.store.read(
    thread,
    ({ state }) => liveTakes(state).find(({ id }) => id !== "other")?.id ?? "",
  );
  await workspace.changeWithFiles(thread, ({ state }, context) => switchTake(state, context, { take: first }));
  await workspace.undo(thread, { count: 2 });
  workspace.store.change(thread, (state, context) => resetSession(state, context));
  await workspace.undo(thread, { count: 1 });
  for (let number = 5; number < 8; number += 1) await turn(thread, `echo ${number} > a; rm -f b0`);
  return thread;
}

test("[L12] without limits deletes nothing that an operation needs, in private threads too", async () => {
  const thread = await eventful({ private: true });
  const before = everyTree(thread);
  expect([...before.values()]).not.toContain(undefined);
  expect(await workspace.collectGarbage()).toMatchObject({ kind: "collected" });
  expect(everyTree(thread)).toEqual(before);
});

test.each([1, 4])("[L12] keeps all files of the last turns (%i), before and after each", async (turns) => {
  const thread = await eventful({ private: false });
  const before = everyTree(thread);
  const planned = await workspace.collectGarbage({ turns, dryRun: true });
  expect(everyTree(thread)).toEqual(before);
  const done = await workspace.collectGarbage({ turns });
  // In an idle moment between the two, small contents may have moved into packs, which keep their space for now.
  expect(done).toEqual({ ...planned, bytes: expect.any(Number) });
  expect(done).toMatchObject({ kind: "collected", captures: expect.any(Number) });
  const after = everyTree(thread);
  const gone = [...after].filter(([, files]) => files === undefined);
  expect(gone.length).toBeGreaterThan(0);
  for (const [key, files] of after) if (files !== undefined) expect(files).toBe(before.get(key));
  expect([...after.values()].at(-1)).toBeDefined();
  const list = workspace.store.read(thread, (history) => {
    const ids: string[] = [];
    for (let at = history.state.head, left = turns; at !== null && left > 0; ) {
      const operation = history.operation(at);
      ids.push(at);
      if (operation?.kind === "turn-started") left -= 1;
      at = operation?.parents[0] ?? null;
    }
    return ids;
  });
  for (const [key, files] of after) if (list.some((id) => key.startsWith(id))) expect(files).toBeDefined();
  for (let number = 0; number < turns; number += 1)
    expect(await workspace.undo(thread, { count: 1 })).toMatchObject({ kind: "done" });
});

test("refuses to undo a turn whose files are deleted, with a message; its conversation alone can still be undone", async () => {
  const thread = await workspace.newThread("one");
  for (let number = 0; number < 4; number += 1) await turn(thread, `echo ${number} > a`);
  await workspace.collectGarbage({ turns: 1 });
  expect(await workspace.undo(thread, { count: 1 })).toMatchObject({ kind: "done" });
  expect(await workspace.undo(thread, { count: 1 })).toMatchObject({
    kind: "refused",
    code: "not-found",
    message: expect.stringContaining("not kept any more"),
  });
  expect(await workspace.undo(thread, { count: 1, scope: "conversation" })).toMatchObject({ kind: "done" });
});

test("[X5] undo works when the files of other threads' later work are deleted", async () => {
  const [one, two] = [await workspace.newThread("one"), await workspace.newThread("two")];
  await turn(one, "echo one > a");
  for (let number = 0; number < 3; number += 1) await turn(two, `echo ${number} > b`);
  await workspace.collectGarbage({ turns: 1 });
  expect(await workspace.undo(one, { count: 1 })).toMatchObject({ kind: "done" });
});

test("[P4] keeps the files of a snapshot that the user took, and stops listing those of turns without files", async () => {
  const thread = await workspace.newThread("one");
  await turn(thread, "echo first > a");
  const taken = await takeSnapshot(workspace, thread, "mine");
  if (taken.kind === "refused") throw new Error(taken.message);
  for (let number = 0; number < 4; number += 1) await turn(thread, `echo ${number} > a`);
  await workspace.collectGarbage({ turns: 1 });
  expect(listSnapshots(workspace).map(({ kind }) => kind)).toEqual([
    "post-turn",
    "tool",
    "pre-turn",
    "post-turn",
    "tool",
    "pre-turn",
    "manual",
    "post-turn",
    "tool",
  ]);
  expect(await restoreSnapshot(workspace, taken.snapshot)).toMatchObject({ kind: "done" });
  expect(readFileSync(join(folder, "work", "a"), "utf8")).toBe("first\n");
});

test("keeps the given days, and at least twenty turns", async () => {
  const thread = await workspace.newThread("one");
  for (let number = 0; number < 4; number += 1) await turn(thread, `echo ${number} > a`);
  const before = everyTree(thread);
  await workspace.collectGarbage({ days: 0 });
  expect(everyTree(thread)).toEqual(before);
  await workspace.collectGarbage({ days: 1, turns: 1 });
  expect(everyTree(thread)).toEqual(before);
});

test("is refused while any workspace of the store is in use", async () => {
  mkdirSync(join(folder, "other"));
  const other = open("other");
  await other.newThread("other");
  await other.close();
  await workspace.newThread("one");
  const lock = lockWorkspace(join(folder, "home", "state"), join(folder, "other"));
  expect(await workspace.collectGarbage()).toMatchObject({ kind: "busy" });
  lock?.release();
  rmSync(join(folder, "other"), { recursive: true });
  expect(await workspace.collectGarbage()).toMatchObject({ kind: "collected" });
});

test("[L5] the last tree that the sync server has is kept: the next one is sent as the changes since it", async () => {
  const thread = await workspace.newThread("synced");
  await turn(thread, "echo one > a.txt");
  const last = workspace.store.read(thread, ({ state }) => tree(state, activeTake(state)));
  for (const content of ["two", "three"]) await turn(thread, `echo ${content} > a.txt`);
  const { database } = workspace.store.shared;
  const rows = new SyncRows(database);
  database.transaction(() => rows.addTree(thread, last));
  await workspace.collectGarbage({ turns: 1 });
  expect(rows.lastTree(thread)).toBe(last);
  // Another one is collected, as before.
  database.transaction(() => database.run("DELETE FROM sync_trees"));
  await workspace.collectGarbage({ turns: 1 });
  database.transaction(() => rows.addTree(thread, last));
  expect(rows.lastTree(thread)).toBeUndefined();
});

test("[L5] the tree of files that a pull has left on disk is kept: retake sync files begins at it", async () => {
  const thread = await workspace.newThread("pulled");
  await turn(thread, "echo one > a.txt");
  const here = workspace.store.read(thread, ({ state }) => tree(state, activeTake(state)));
  for (const content of ["two", "three"]) await turn(thread, `echo ${content} > a.txt`);
  const { database } = workspace.store.shared;
  const rows = new SyncRows(database);
  database.transaction(() => rows.noteFilesHere(thread, here));
  await workspace.collectGarbage({ turns: 1 });
  expect(workspace.files(thread).files(here).get("a.txt")).toBeDefined();
  database.transaction(() => rows.forgetFilesHere(thread));
  await workspace.collectGarbage({ turns: 1 });
  expect(() => workspace.files(thread).files(here)).toThrow(/no capture/);
});
