import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Built,
  type Context,
  completeSnapshotRestore,
  createThread,
  endTool,
  finishTurn,
  type History,
  insertEntry,
  noteFilesEdited,
  planSnapshotRestore,
  startTool,
  startTurn,
} from "@retake/core";
import { CaptureLog, type Database } from "@retake/workspace";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "./open-database.ts";
import { SnapshotLog } from "./snapshot-log.ts";
import { ThreadStore } from "./thread-store.ts";

let folder: string;
let database: Database;
let store: ThreadStore;
let ids = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-snapshots-"));
  database = openDatabase(join(folder, "retake.db"));
  store = new ThreadStore(database, { outbox: true });
  store.place("T-1", "/w");
  captures(4);
  const origin = { id: "T-1", workspace_root: "/w", cwd: "/w", retake_version: "0", private: false };
  change((_, context) => createThread(context, { origin, take: "t1", title: "main", tree: "tree-1" }));
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

/** Captures of nothing, for trees to name. */
function captures(count: number): void {
  const log = new CaptureLog(database);
  const workspace = log.workspaceId(Buffer.from("/w"));
  const none = { parent: undefined, createdAt: 0, files: 0, bytes: 0, changes: Buffer.alloc(0), distance: 0 };
  for (let each = 1; each <= count; each += 1)
    log.add({ id: `tree-${each}`, workspace, ...none, listing: undefined, receipt: "{}" });
}

function change(build: (history: History, context: Context) => Built): string {
  ids += 1;
  const context: Context = { id: `op${ids}`, at: ids * 1000, actor: { kind: "user" } };
  const done = store.change("T-1", (history) => build(history, context));
  if ("code" in done) throw new Error(done.message);
  return done.id;
}

/** A turn with a call that writes `tree`, or with one that only reads. */
function turn(prompt: string, tree?: string): string[] {
  const turn_id = `turn-${ids}`;
  const entry = `${turn_id}.1`;
  const call = { id: "c", name: "bash" };
  return [
    change(({ state }, at) => startTurn(state, at, { turn_id, prompt: { id: `${turn_id}.p`, content: prompt } })),
    change(({ state }, at) => startTool(state, at, { turn_id, entry, call })),
    change(({ state }, at) =>
      endTool(state, at, { turn_id, entry, status: "completed", content: "", ...(tree ? { tree } : {}) }),
    ),
    change(({ state }, at) => finishTurn(state, at, { turn_id, status: "finished" })),
  ];
}

function listed(limit = 100) {
  return new SnapshotLog(database).list("/w", { limit });
}

describe("the snapshots that operations make", () => {
  test("[P4] the start of a turn, each tool that wrote, the turn's end, and the files before a restore", () => {
    const [start, , ended, finish] = turn("go", "tree-2");
    const reading = turn("look");
    change(({ state }, at) => noteFilesEdited(state, at, { tree: "tree-3" }));
    change(({ state }, at) => insertEntry(state, at, { entry: { id: "e", content: "text" } }));
    const head = store.read("T-1", ({ state }) => state.head);
    const restored = change((history, at) => {
      const plan = planSnapshotRestore(history, { snapshot: "S-1", tree: "tree-1" });
      return plan.kind === "restore" ? completeSnapshotRestore(history, at, plan, { tree: "tree-1" }) : plan;
    });
    const shown = listed().map(({ id, kind, tree, operation, after }) => [id, kind, tree, operation, after]);
    expect(shown).toEqual([
      [`S-${restored}`, "pre-restore", "tree-3", restored, head],
      [`S-${reading[3]}`, "post-turn", "tree-2", reading[3], reading[3]],
      [`S-${reading[0]}`, "pre-turn", "tree-2", reading[0], reading[0]],
      [`S-${finish}`, "post-turn", "tree-2", finish, finish],
      [`S-${ended}`, "tool", "tree-2", ended, ended],
      [`S-${start}`, "pre-turn", "tree-1", start, start],
    ]);
    // The same where many operations are followed at once.
    const before = listed();
    database.run("DELETE FROM snapshots");
    store.rebuild("T-1");
    expect(listed()).toEqual(before);
  });

  test("[X9] a rolled-back commit leaves no snapshot", () => {
    expect(() =>
      database.transaction(() => {
        turn("go", "tree-2");
        throw new Error("the disk is full");
      }),
    ).toThrow("the disk is full");
    expect(listed()).toEqual([]);
  });

  test("[P4] does not list snapshots whose files gc deleted, nor those of another workspace", () => {
    const [start] = turn("go", "tree-2");
    const log = new SnapshotLog(database);
    expect(listed(1)).toHaveLength(1);
    expect(log.list("/elsewhere", { limit: 9 })).toEqual([]);
    database.run("DELETE FROM captures WHERE name = 'tree-2'");
    expect(listed().map(({ id }) => id)).toEqual([`S-${start}`]);
    expect(log.named("/w", "S-").map(({ id }) => id)).toEqual([`S-${start}`]);
  });
});
