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
import { Stores } from "../stores.ts";

const fixture = join(import.meta.dirname, "fixtures", "0.1.0");
const expected = JSON.parse(gunzipSync(readFileSync(join(fixture, "expected.json.gz"))).toString()) as {
  readonly threads: Readonly<Record<string, { readonly id: string; readonly takes?: readonly { id: string }[] }>>;
};
const live = Object.entries(expected.threads).filter(([name]) => name !== "deleted");

let folder: string;
let stores: Stores;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-old-store-"));
  execFileSync("tar", ["-xzf", join(fixture, "store.tar.gz"), "-C", folder]);
  stores = new Stores(join(folder, "home", "data"));
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
      operations: historySteps(history).map(told),
      can_undo: canUndo(history),
      can_redo: canRedo(history),
      head: state.head,
    },
    all_operations: allOperations(history).map(told),
  };
}

test.each(live)(
  "[S3] thread %s of a 0.1.0 store has the entries, takes, settings and history that 0.1.0 showed",
  (_, thread) => {
    const read = stores.of(thread.id).threads.read(thread.id, readThread);
    const byId = (list: readonly { readonly id: string }[] = []) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect({ ...read, takes: byId(read.takes) }).toEqual({
      ...Object.fromEntries(Object.keys(read).map((key) => [key, thread[key as keyof typeof thread]])),
      takes: byId(thread.takes),
    });
  },
);

test("[S3] the private thread of a 0.1.0 store is in the private store alone", () => {
  const id = expected.threads["private"]?.id ?? "";
  expect([stores.shared.threads.has(id), stores.private?.threads.has(id)]).toEqual([false, true]);
});
