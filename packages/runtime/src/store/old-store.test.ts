/** A real store of version 0.1.0 is read as 0.1.0 read it. How it was made: fixtures/0.1.0/README.md. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import {
  activeTake,
  canRedo,
  canUndo,
  entries,
  type History,
  type HistoryItem,
  liveTakes,
  pathsIn,
  roles,
  settings,
} from "@retake/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { entryJson } from "../answers/entry-json.ts";
import { allOperations, historySteps } from "../answers/history-list.ts";
import { takeJson } from "../answers/take-json.ts";
import { examine } from "../doctor/examine.ts";
import { directories } from "./directories.ts";
import { openStore, type Store } from "./open-store.ts";

const fixture = join(import.meta.dirname, "fixtures", "0.1.0");
const expected = JSON.parse(gunzipSync(readFileSync(join(fixture, "expected.json.gz"))).toString()) as {
  readonly threads: Readonly<Record<string, { readonly id: string; readonly takes?: readonly { id: string }[] }>>;
};
const live = Object.entries(expected.threads).filter(([name]) => name !== "deleted");

let folder: string;
let stores: Store;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-old-store-"));
  execFileSync("tar", ["-xzf", join(fixture, "store.tar.gz"), "-C", folder]);
  stores = openStore({ directories: directories({ RETAKE_HOME: join(folder, "home") }), version: "0" });
});
afterAll(() => {
  stores.close();
  rmSync(folder, { recursive: true });
});

function told({ operation: { id, kind, description }, undone }: HistoryItem) {
  return { id, kind, description, undone };
}

function readThread(history: History) {
  const { state } = history;
  const take = activeTake(state);
  return {
    entries: [...entries(state, take)].map(entryJson),
    takes: liveTakes(state).map((each) => takeJson(state, each)),
    settings: settings(state, take),
    roles: roles(state, take),
    context: pathsIn(state, take, "context"),
    history: {
      operations: [...historySteps(history)].map(told),
      can_undo: canUndo(history),
      can_redo: canRedo(history),
      head: state.head,
    },
    all_operations: [...allOperations(history)].map(told),
  };
}

/**
 * The history of a take no longer includes operations after its branch point (A7). 0.1.0 showed the later turn and
 * rename of the original take.
 */
const LEFT_OUT: readonly string[] = [
  "01a1e640-82b2-7000-a1e3-f7c188a44c15",
  "01a1e640-821a-7000-bf41-af87e75aaa53",
  "01a1e640-8144-7000-8b20-4b805be84dfc",
  "01a1e640-7f8c-7000-a208-c40c5c216e31",
];

test.each(live)(
  "[S3] [W2] thread %s of a 0.1.0 store has the entries, takes, settings and history that 0.1.0 showed",
  (_, thread) => {
    const read = stores.partOf(thread.id).threads.read(thread.id, readThread);
    const byId = (list: readonly { readonly id: string }[] = []) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const { history, ...shown } = Object.fromEntries(
      Object.keys(read).map((key) => [key, thread[key as keyof typeof thread]]),
    ) as unknown as ReturnType<typeof readThread>;
    const operations = history.operations.filter(({ id }) => !LEFT_OUT.includes(id));
    // Rules for approvals are facts of the machine since decision 23, no longer a setting.
    const { approval_rules: _rules, ...kept } = shown.settings as typeof shown.settings & { approval_rules: unknown };
    expect({ ...read, takes: byId(read.takes) }).toEqual({
      ...shown,
      // The default is now what the model allows, and a budget can be set.
      settings: { ...kept, budget: 0, max_tokens: kept.max_tokens === 8192 ? 0 : kept.max_tokens },
      history: { ...history, operations },
      takes: byId(thread.takes),
    });
  },
);

test("[S3] [W1] [W3] doctor finds a 0.1.0 store whole after it was upgraded", () => {
  const place = directories({ RETAKE_HOME: join(folder, "home") });
  const { problems } = examine({ directories: place, root: join(folder, "workspace"), version: "0" });
  // The archive was unpacked with the modes of this process.
  expect(problems.filter(({ code }) => code !== "open-to-others")).toEqual([]);
});

test("[S3] the private thread of a 0.1.0 store is in the private store alone", () => {
  const id = expected.threads["private"]?.id ?? "";
  expect([stores.shared.threads.has(id), stores.private?.threads.has(id)]).toEqual([false, true]);
});
