import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { activeTake, changeThread, entries, insertEntry, resetSession } from "@retake/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { directories } from "../store/directories.ts";
import { openStoreAndWorkspace, type Workspace } from "../workspace/open-workspace.ts";
import { listSessions, resumeSession, saveSession, sessionById } from "./sessions.ts";

let folder: string;
let workspace: Workspace;
let numbers = 0;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-sessions-")));
  mkdirSync(join(folder, "work"));
  workspace = open();
});
afterEach(async () => {
  await workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(root = join(folder, "work")): Workspace {
  return openStoreAndWorkspace({ directories: directories({ RETAKE_HOME: join(folder, "home") }), root, version: "0" });
}

function say(thread: string, content: string): void {
  numbers += 1;
  workspace.store.change(thread, (state, context) =>
    insertEntry(state, context, { entry: { id: `e${numbers}`, content } }),
  );
}

const said = (thread: string) =>
  workspace.store.read(thread, ({ state }) => [...entries(state, activeTake(state))].map(({ content }) => content));

/** The files as the user leaves them, noted in the thread. */
async function write(thread: string, content: string): Promise<void> {
  writeFileSync(join(folder, "work", "a.txt"), content);
  await workspace.undo(thread, { count: 1 }, { dryRun: true });
}

describe("named saves", () => {
  test("[P1] are saved, listed, read, and resumed at their point, also after reopening; undo goes back", async () => {
    const [one, two] = [await workspace.newThread("One"), await workspace.newThread("Two")];
    say(one, "first");
    const saved = saveSession(workspace.store, { thread_id: one, session_id: "good-state", title: "Works" });
    expect(saved).toMatchObject({
      kind: "saved",
      session: { id: "good-state", thread_id: one, title: "Works" },
      replaced: null,
    });
    say(one, "second");
    await write(one, "later");
    const other = saveSession(workspace.store, { thread_id: two });
    if (other.kind !== "saved") throw new Error(other.message);
    await workspace.close();
    workspace = open();
    expect(
      listSessions(workspace.store)
        .map(({ id, title }) => [id, title])
        .sort(),
    ).toEqual(
      [
        ["good-state", "Works"],
        [other.session.id, "Two"],
      ].sort(),
    );
    expect(sessionById(workspace.store, "good-state")).toMatchObject({ thread_id: one });
    workspace.store.chooseThread(workspace.root, two);
    expect(await resumeSession(workspace, "good-state")).toMatchObject({ kind: "resumed", jumped: { kind: "done" } });
    expect([workspace.currentThread()?.id, said(one)]).toEqual([one, ["first"]]);
    expect(existsSync(join(folder, "work", "a.txt"))).toBe(false);
    await workspace.undo(one, { count: 1 });
    expect(said(one)).toEqual(["first", "second"]);
    expect(existsSync(join(folder, "work", "a.txt"))).toBe(true);
    expect(sessionById(workspace.store, "good-state")).toMatchObject({ thread_id: one });
  });

  test("[P1] without later changes, resuming only changes the current thread", async () => {
    const [one, two] = [await workspace.newThread("One"), await workspace.newThread("Two")];
    say(one, "first");
    saveSession(workspace.store, { thread_id: one, session_id: "here" });
    workspace.store.chooseThread(workspace.root, two);
    const head = workspace.store.read(one, ({ state }) => state.head);
    expect(await resumeSession(workspace, "here")).toMatchObject({ kind: "resumed", jumped: null });
    expect([workspace.store.read(one, ({ state }) => state.head), workspace.currentThread()?.id]).toEqual([head, one]);
  });

  test("[P1] another thread's name is refused; the same thread's name moves, which is reported and can be undone", async () => {
    const [one, two] = [await workspace.newThread("One"), await workspace.newThread("Two", { private: true })];
    saveSession(workspace.store, { thread_id: one, session_id: "name" });
    const first = sessionById(workspace.store, "name");
    expect(saveSession(workspace.store, { thread_id: two, session_id: "name" })).toMatchObject({
      code: "already-exists",
    });
    expect(sessionById(workspace.store, "name")).toEqual(first);
    say(one, "more");
    expect(saveSession(workspace.store, { thread_id: one, session_id: "name" })).toMatchObject({
      kind: "saved",
      replaced: first,
    });
    expect(sessionById(workspace.store, "name")).not.toEqual(first);
    await workspace.undo(one, { count: 1, steps: true });
    expect(sessionById(workspace.store, "name")).toEqual(first);
    workspace.store.change(one, (state, context) => changeThread(state, context, { facts: { deleted: true } }));
    expect(sessionById(workspace.store, "name")).toMatchObject({ code: "not-found" });
    expect(saveSession(workspace.store, { thread_id: two, session_id: "name" })).toMatchObject({
      code: "already-exists",
    });
  });

  test("[S6] [P1] survive a reset of their thread", async () => {
    const one = await workspace.newThread("One");
    say(one, "first");
    saveSession(workspace.store, { thread_id: one, session_id: "name" });
    workspace.store.change(one, (state, context) => resetSession(state, context));
    expect(said(one)).toEqual([]);
    expect(await resumeSession(workspace, "name")).toMatchObject({ kind: "resumed" });
    expect(said(one)).toEqual(["first"]);
  });

  test("[P1] refuse an invalid name, a missing save, and one of another workspace", async () => {
    const one = await workspace.newThread("One");
    for (const session_id of ["", "../x", "a b", "x".repeat(200)])
      expect(saveSession(workspace.store, { thread_id: one, session_id })).toMatchObject({ code: "invalid-input" });
    expect(await resumeSession(workspace, "none")).toMatchObject({ code: "not-found" });
    expect(() => saveSession(workspace.store, { thread_id: "T-none" })).toThrow("There is no thread T-none");
    saveSession(workspace.store, { thread_id: one, session_id: "here" });
    mkdirSync(join(folder, "elsewhere"));
    const other = open(join(folder, "elsewhere"));
    expect(await resumeSession(other, "here")).toMatchObject({
      code: "not-found",
      message: expect.stringContaining("resume it there"),
    });
    await other.close();
  });

  test("[P1] a damaged save is an error for every use of its name, and stays unchanged", async () => {
    const one = await workspace.newThread("One");
    saveSession(workspace.store, { thread_id: one, session_id: "broken" });
    const file = join(folder, "home", "data", "retake.db");
    const stored = () => {
      const database = new DatabaseSync(file);
      const row = database.prepare("SELECT value FROM records WHERE id = 'save:broken'").get();
      database.close();
      return row?.["value"];
    };
    for (const damage of ["{}", "not json", '{"id":"other"}']) {
      const database = new DatabaseSync(file);
      database.prepare("UPDATE records SET value = ? WHERE id = 'save:broken'").run(damage);
      database.close();
      expect(() => sessionById(workspace.store, "broken")).toThrow("cannot be read");
      expect(() => listSessions(workspace.store)).toThrow("cannot be read");
      expect(() => saveSession(workspace.store, { thread_id: one, session_id: "broken" })).toThrow("cannot be read");
      await expect(resumeSession(workspace, "broken")).rejects.toThrow("cannot be read");
      expect(stored()).toBe(damage);
    }
  });
});
