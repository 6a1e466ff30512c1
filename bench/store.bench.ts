/** Committing one edit, flushed, whatever the length of the thread; and beside writing the thread out as JSON. */
import { closeSync, fsyncSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { activeTake, createThread, editEntry, entries, type History, replaceEntries } from "@retake/core";
import { Identity } from "../packages/runtime/src/store/identity.ts";
import { openDatabase } from "../packages/runtime/src/store/open-database.ts";
import { ThreadStore } from "../packages/runtime/src/store/thread-store.ts";
import { report, sideBySide, type Work } from "./measure.ts";

const rounds = 101;
const editsAtATime = 20;
const smallest = 100;
const largest = 100_000;
const folder = mkdtempSync(join(tmpdir(), "retake-bench-"));
const identity = new Identity(Date.now);
const database = openDatabase(join(folder, "retake.db"));
const store = new ThreadStore(database, { outbox: true });

/** Edits entries all over a thread of so many, one at a time. */
function editOf(count: number): Work {
  const thread = `T-${count}`;
  const origin = { id: thread, workspace_root: "/w", cwd: "/w", retake_version: "0", private: false };
  store.place(thread, "/w");
  commit(thread, () => createThread(context(), { origin, take: "main", title: "main" }));
  const list = Array.from({ length: count }, (_, index) => ({
    id: `entry-${index}`,
    content: `This is what entry ${index} says. `.repeat(5),
  }));
  commit(thread, ({ state }) => replaceEntries(state, context(), { entries: list }));
  let edits = 0;
  return {
    work: () => {
      edits += 1;
      const entry = `entry-${(edits * 7919) % count}`;
      commit(thread, ({ state }) => editEntry(state, context(), { entry, content: `edited ${edits} times` }));
    },
  };
}

function commit(thread: string, build: Parameters<ThreadStore["change"]>[1]): void {
  const done = store.change(thread, build);
  if ("code" in done) throw new Error(done.message);
}

function context() {
  return identity.context({ kind: "user" });
}

/**
 * Rewrites the whole session, as an agent with a file per session does: writes a new file, flushes it, renames it, and
 * flushes the rename. Without the last flush it would promise less than a commit does.
 */
function rewriteOf(thread: string): Work {
  const file = join(folder, "thread.json");
  const all = store.read(thread, ({ state }: History) => [...entries(state, activeTake(state))]);
  return {
    work: () => {
      const descriptor = openSync(`${file}.new`, "w");
      writeFileSync(descriptor, JSON.stringify({ entries: all }));
      fsyncSync(descriptor);
      closeSync(descriptor);
      renameSync(`${file}.new`, file);
      const directory = openSync(folder, "r");
      fsyncSync(directory);
      closeSync(directory);
    },
  };
}

try {
  const few = editOf(smallest);
  const rows = [];
  for (const count of [1_000, 10_000, largest]) {
    const what = `commit an edit: ${count.toLocaleString("en")} entries / ${smallest}`;
    rows.push({ what, ...(await sideBySide(rounds, editOf(count), few)), atMost: 2 });
  }
  // Several at a time: the first edit after a rewriting would be measured with what that left in caches and the heap.
  const { work } = editOf(largest + 1);
  const many = { work: () => Array.from({ length: editsAtATime }, work) };
  const json = await sideBySide(21, many, rewriteOf(`T-${largest + 1}`));
  const ours = json.ours / editsAtATime;
  rows.push({ what: "commit an edit / rewrite 100,000 entries as JSON", ...json, ours, atMost: 0.01 });
  report("store", rows);
} finally {
  database.close();
  rmSync(folder, { recursive: true, force: true });
}
