import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ApiError } from "@retake/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleBody, sampleQuery } from "./testing/sample-input.ts";
import { everyRoute, isEnd, TestServer } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

/** Routes that the runtime has no work for yet, and those that tests of their own cover. */
const ELSEWHERE = ["followEvents", "followTurn", "interruptTurn", "decideApproval"];

async function refusal(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

describe("every route", () => {
  test("does what it says, and answers as it is described", async () => {
    const client = server.client();
    await client.health();
    await client.describeApi();
    await client.createLogin();
    const { thread, op_id, version } = await client.createThread({ title: "First" });
    expect({ version, head: thread.head }).toEqual({ version: 1, head: op_id });
    const { id } = thread;
    expect(await client.getWorkspaceStatus()).toMatchObject({ workspace_root: server.root, thread: { id }, git: null });
    expect((await client.listThreads()).threads.map((each) => each.id)).toEqual([id]);
    await client.changeThread(id, { title: "Renamed", tags: ["a"] });
    expect(await client.getThread(id)).toMatchObject({ title: "Renamed", tags: ["a"], version: 2, active: true });

    await client.changeSettings(id, { temperature: 1, draft: "d" });
    expect(await client.getSettings(id)).toMatchObject({ temperature: 1, draft: "d" });
    expect((await client.changeRoles(id, { add: "Critic" })).roles).toContain("Critic");
    expect((await client.getRoles(id)).roles).toContain("Critic");
    await client.changeContext(id, { add: "a.txt" });
    expect((await client.getContext(id)).context).toMatchObject([{ path: "a.txt" }]);

    const one = await client.addEntry(id, { content: "one", colour: "red" });
    const two = await client.addEntry(id, { content: "zero", before: one.entry?.id as string });
    expect((await client.listEntries(id)).entries.map(({ content }) => content)).toEqual(["zero", "one"]);
    const first = one.entry?.id as string;
    expect(await client.getEntry(id, first)).toMatchObject({ content: "one", colour: "red" });
    await client.editEntry(id, first, { content: "edited", role: "AI" });
    await client.removeEntry(id, two.entry?.id as string);
    expect((await client.listEntries(id)).entries).toMatchObject([{ content: "edited", role: "AI", colour: "red" }]);
    await client.replaceEntries(id, { entries: [{ id: first, content: "kept" }, { content: "new" }] });
    expect((await client.listEntries(id)).entries).toMatchObject([{ id: first, content: "kept" }, { content: "new" }]);

    const turn = await server.turn(id, "write a.txt: hello");
    expect(server.read("a.txt")).toBe("hello");
    expect((await client.listTurns(id)).turns).toMatchObject([{ id: turn, status: "finished", approvals: [] }]);
    expect((await client.summarizeThreads()).threads).toMatchObject([{ id, turns: 1, preview: "write a.txt: hello" }]);
    expect((await client.searchThreads({ words: "hello" })).threads).toMatchObject([{ id }]);

    const { operations, head } = await client.getHistory(id);
    expect(operations[0]).toMatchObject({ kind: "turn-finished", turn_id: turn, thread_id: id });
    expect(await client.getOperation(id, head as string)).toMatchObject({
      files: [{ path: "a.txt", status: "added" }],
    });
    const { checkpoint } = await client.getCheckpoint(id);
    expect(checkpoint).toMatchObject({ head });
    expect(await client.diffThread(id)).toEqual({ files: [], total: 0 });
    expect(await client.readFile(id, { path: "a.txt", at: head as string })).toMatchObject({ content: "hello" });

    const undone = await client.undo(id, { depth: 0 });
    expect(undone).toMatchObject({ turns_undone: 1, files_reverted: ["a.txt"], thread: id });
    expect(server.read("a.txt")).toBeUndefined();
    await client.redo(id);
    expect(server.read("a.txt")).toBe("hello");
    expect(await client.patchUndo(id)).toMatchObject({
      patch_result: { files_restored: 1, summary: "1 file restored" },
    });
    await client.redo(id);
    await client.jump(id, { op: op_id as string });
    expect((await client.listEntries(id)).entries).toEqual([]);
    await client.undo(id);
    expect(server.read("a.txt")).toBe("hello");
    await expect(client.revert(id, { turn, hunks: [{ path: "a.txt", edits: [7] }] })).rejects.toMatchObject({
      ...{ status: 422, code: "unknown-hunk" },
    });
    await client.revert(id, { turn });
    expect(server.read("a.txt")).toBeUndefined();
    await client.undo(id);

    const { take } = await client.branch(id, { entry: first });
    const takes = await client.listTakes(id);
    expect(takes.takes.find(({ active }) => active)?.id).toBe(take?.id);
    await client.promoteTake(id, take?.id as string, { name: "better" });
    await client.renameTake(id, take?.id as string, { name: "best" });
    await client.switchTake(id, takes.takes.find(({ active }) => !active)?.id as string);
    expect(server.read("a.txt")).toBe("hello");
    expect(await client.compareTakes(id, takes.takes[0]?.id as string, takes.takes[1]?.id as string)).toMatchObject({
      common: 1,
      files: [{ path: "a.txt" }],
    });
    await client.deleteTake(id, take?.id as string);
    expect((await client.listTakes(id)).takes).toHaveLength(1);

    await client.saveSession({ thread_id: id, session_id: "before" });
    await client.truncate(id, { pairs: 1 });
    await client.clear(id);
    await client.reset(id);
    expect((await client.listSessions()).sessions).toMatchObject([{ id: "before", thread_id: id }]);
    expect((await client.getSession("before")).entries.length).toBeGreaterThan(0);
    await client.resumeSession("before");
    expect((await client.listEntries(id)).entries.length).toBeGreaterThan(0);

    const { op_id: hooked } = await client.replaceHookSession({ session: { entries: [{ content: "by a program" }] } });
    expect((await client.getHookSession()).session.entries).toMatchObject([{ content: "by a program" }]);
    expect(await client.getState()).toMatchObject({ thread_id: id, head: hooked });
    expect(await client.getStateField("head")).toEqual({ head: hooked });
    expect((await client.getHistory(id)).operations[0]?.actor).toEqual({ kind: "hook" });
    expect(await client.runAction("undo", {})).toMatchObject({ op_id: expect.any(String) });
    await server.turn(id, "write b.txt: 1");
    const retried = await client.retry(id, { prompt: "write c.txt: 2", approve_all: true });
    expect(retried.taken_back).toMatchObject({ turns_undone: 1 });
    await server.until(id, "0", (event) => isEnd(event, retried.turn_id));
    expect(server.read("c.txt")).toBe("2");
    expect(await client.undoSession(id, { count: 5 })).toMatchObject({ turns_undone: 1 });
    expect(await client.compress(id, { keep: 0 })).toMatchObject({
      op_id: expect.any(String),
      summary: expect.any(String),
    });
    expect((await client.listEntries(id)).entries).toHaveLength(1);

    writeFileSync(join(server.root, "c.txt"), "2");
    const { snapshot: taken } = await client.takeSnapshot({ label: "mine" });
    expect(taken).toMatchObject({
      label: "mine",
      kind: "manual",
      thread_id: id,
      tree: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    writeFileSync(join(server.root, "c.txt"), "changed");
    expect(await client.diffSnapshot(taken.id)).toMatchObject({
      files: [{ path: "c.txt", additions: 1, deletions: 1 }],
    });
    expect((await client.listSnapshots({ limit: 1 })).snapshots).toMatchObject([{ id: taken.id }]);
    const restored = await client.restoreSnapshot(taken.id, { on_conflict: "overwrite" });
    expect(restored).toMatchObject({ files_reverted: ["c.txt"] });
    expect(server.read("c.txt")).toBe("2");
    await client.undo(id);
    expect(server.read("c.txt")).toBe("changed");

    const second = await client.createThread({});
    await client.deleteThread(second.thread.id);
    expect((await client.listThreads()).threads.map((each) => each.id)).toEqual([id]);
    expect((await client.listThreads({ deleted: true })).threads.map((each) => each.id)).toEqual([second.thread.id]);

    const untried = everyRoute().filter(([name]) => !server.answered.has(name) && !ELSEWHERE.includes(name));
    expect(untried.map(([name]) => name)).toEqual([]);
  });

  test.each(everyRoute().filter(([, { path }]) => path.includes("{id}")))(
    "%s answers 404 for what is not there",
    async (_, route) => {
      const path = route.path.replaceAll(/\{\w+\}/g, "T-0000");
      const body = sampleBody(route);
      const response = await server.fetch(path + sampleQuery(route), {
        method: route.method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
    },
  );

  test.each(everyRoute().filter(([, { body }]) => body))("%s refuses a body of another form", async (_, route) => {
    const path = route.path.replaceAll(/\{\w+\}/g, "T-0000");
    for (const body of ["[]", '"text"', "7", "null"]) {
      const response = await server.fetch(path, { method: route.method, body });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: "invalid-input" } });
    }
  });

  test.each(everyRoute())("%s refuses a query that it does not know", async (_, route) => {
    const path = route.path.replaceAll(/\{\w+\}/g, "T-0000");
    const body = sampleBody(route);
    const response = await server.fetch(`${path}?surprise=1`, {
      method: route.method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(400);
  });
});

describe("changes", () => {
  test("[P2] [P3] a retry that cannot be leaves everything as it was, and no thread behind", async () => {
    const client = server.client();
    const id = await server.thread();
    const look = async () => [await client.listThreads(), await client.getCheckpoint(id)];
    const empty = await look();
    expect((await refusal(client.retry(id))).status).toBe(404);
    expect(await look()).toEqual(empty);
    await server.turn(id, "write retried.txt: one");
    const before = await look();
    expect((await refusal(client.retry(id, { model: "nobody/nothing" }))).status).toBe(422);
    expect((await refusal(client.retry(id, { prompt: " " }))).status).toBe(422);
    expect(await look()).toEqual(before);
    writeFileSync(join(server.root, "retried.txt"), "mine");
    expect(await refusal(client.retry(id))).toMatchObject({ status: 409, code: "conflict" });
    expect(server.read("retried.txt")).toBe("mine");
    expect((await client.listTurns(id)).turns[0]).toMatchObject({ status: "finished" });
  });

  test("[U6] [X1] a dry run changes nothing; a conflict is 409 with what is in conflict", async () => {
    const client = server.client();
    const id = await server.thread("write conflict.txt: one", "write conflict.txt: two");
    const before = await client.getThread(id);
    expect(await client.undo(id, { turns: 2, dry_run: true })).toMatchObject({ op_id: null, turns_undone: 2 });
    writeFileSync(join(server.root, "conflict.txt"), "mine");
    const error = await refusal(client.undo(id));
    expect(error).toMatchObject({
      status: 409,
      code: "conflict",
      details: { conflicts: [{ path: "conflict.txt", kind: "overlap" }] },
    });
    expect(server.read("conflict.txt")).toBe("mine");
    expect((await client.listEntries(id)).entries).toHaveLength(before.entries);
    expect(await client.undo(id, { on_conflict: "keep" })).toMatchObject({
      files_kept: [{ path: "conflict.txt", reason: expect.any(String) }],
    });
  });

  test("edits that arrive together are each answered with the version and the entry that they made", async () => {
    const client = server.client();
    const { thread } = await client.createThread({ title: "Together" });
    const { entry } = await client.addEntry(thread.id, { content: "before" });
    const contents = Array.from({ length: 24 }, (_, index) => `edit ${index}`);
    const answers = await Promise.all(
      contents.map((content) => client.editEntry(thread.id, entry?.id as string, { content })),
    );
    expect(answers.map((answer) => answer.entry?.content)).toEqual(contents);
    const versions = answers.map(({ version }) => version).sort((a, b) => a - b);
    expect(versions).toEqual(contents.map((_, index) => index + 3));
    const last = answers.find(({ version }) => version === versions.at(-1));
    expect((await client.getEntry(thread.id, entry?.id as string)).content).toBe(last?.entry?.content);
  });

  test("pages of entries, one behind the other, are the whole conversation", async () => {
    const client = server.client();
    const { thread } = await client.createThread({ title: "Long" });
    const given = Array.from({ length: 200 }, (_, index) => ({ content: `${index}`, role: index % 3 ? "AI" : "User" }));
    await client.replaceEntries(thread.id, { entries: given });
    for (const role of [undefined, "User"]) {
      const wanted = given.filter((each) => role === undefined || each.role === role).map(({ content }) => content);
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.listEntries(thread.id, {
          limit: 67,
          ...(role && { role }),
          ...(cursor && { cursor }),
        });
        found.push(...page.entries.map(({ content }) => content));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(found).toEqual(wanted);
    }
    expect(await refusal(client.listEntries(thread.id, { cursor: "gone" }))).toMatchObject({ status: 400 });
  });

  test("[U2] nothing to undo is no error", async () => {
    const id = await server.thread();
    expect(await server.client().undo(id)).toMatchObject({ op_id: null, message: "Nothing to undo" });
  });

  test("If-Match: a version that was left is 409 with what changed; notes of edited files leave it good", async () => {
    const client = server.client();
    const id = await server.thread("write stale.txt: 1");
    const { version } = await client.getThread(id);
    const { entries } = await client.listEntries(id);
    const entry = entries[0]?.id as string;
    writeFileSync(join(server.root, "elsewhere.txt"), "saved in an editor");
    const undone = await client.undo(id, { dry_run: true }, { version });
    expect(undone.version).toBe(version + 1);
    await client.editEntry(id, entry, { content: "newer" }, { version });
    const changes = [
      () => client.editEntry(id, entry, { content: "x" }, { version }),
      () => client.removeEntry(id, entry, {}, { version }),
      () => client.changeSettings(id, { draft: "x" }, { version }),
      () => client.changeThread(id, { title: "x" }, { version }),
      () => client.undo(id, {}, { version }),
      () => client.branch(id, { entry }, { version }),
      () => client.revert(id, { op: entry }, { version }),
      () => client.clear(id, {}, { version }),
      () => client.reset(id, {}, { version }),
      () => client.startTurn(id, { prompt: "x" }, { version }),
    ];
    for (const change of changes)
      expect(await refusal(change())).toMatchObject({
        status: 409,
        code: "stale-version",
        details: { expected: version, operations: [{ kind: "entry-edited" }] },
      });
    expect((await client.listEntries(id)).entries[0]?.content).toBe("newer");
  });

  test("[L8] what a private thread answered under a key is not in the shared store", async () => {
    const client = server.client();
    const made = { title: "zebra-title", private: true };
    const { thread } = await client.createThread(made, { idempotencyKey: "private-1" });
    const said = await client.addEntry(thread.id, { content: "zebra-words" }, { idempotencyKey: "private-2" });
    await server.restart();
    const again = server.client();
    expect((await again.createThread(made, { idempotencyKey: "private-1" })).thread.id).toBe(thread.id);
    expect(await again.addEntry(thread.id, { content: "zebra-words" }, { idempotencyKey: "private-2" })).toEqual(said);
    const data = join(server.home, "data");
    const files = readdirSync(data, { withFileTypes: true }).filter((each) => each.isFile());
    for (const { name } of files) expect(readFileSync(join(data, name), "latin1")).not.toContain("zebra");
  });

  test("an Idempotency-Key does it once, answers the same, and is good for nothing else", async () => {
    const client = server.client();
    const id = await server.thread();
    const idempotencyKey = "key-1";
    const first = await client.addEntry(id, { content: "once" }, { idempotencyKey });
    expect(await client.addEntry(id, { content: "once" }, { idempotencyKey })).toEqual(first);
    expect(await refusal(client.addEntry(id, { content: "twice" }, { idempotencyKey }))).toMatchObject({
      status: 422,
      code: "key-reused",
    });
    const same = await Promise.all(Array.from({ length: 8 }, () => client.clear(id, {}, { idempotencyKey: "key-2" })));
    expect(new Set(same.map(({ op_id }) => op_id)).size).toBe(1);
    const failed = await refusal(client.removeEntry(id, "none", {}, { idempotencyKey: "key-3" }));
    expect(failed.status).toBe(404);
    await server.restart();
    expect(await server.client().addEntry(id, { content: "once" }, { idempotencyKey })).toEqual(first);
    expect((await server.client().listEntries(id)).entries).toEqual([]);
  });

  test("ids of another thread are not found, and leave both as they are", async () => {
    const client = server.client();
    const [one, other] = [await server.thread("write own.txt: 1"), await server.thread("write other.txt: 1")];
    const { entries } = await client.listEntries(other);
    const { head } = await client.getHistory(other);
    const { takes } = await client.listTakes(other);
    const foreign = { entry: entries[0]?.id as string, op: head as string, take: takes[0]?.id as string };
    const { turns } = await client.listTurns(other);
    const look = () =>
      Promise.all(
        [one, other].flatMap((id) => [client.listEntries(id, {}), client.listTakes(id), client.getSettings(id)]),
      );
    const before = await look();
    const tries = [
      () => client.getEntry(one, foreign.entry),
      () => client.editEntry(one, foreign.entry, { content: "x" }),
      () => client.removeEntry(one, foreign.entry),
      () => client.branch(one, { entry: foreign.entry }),
      () => client.getOperation(one, foreign.op),
      () => client.jump(one, { op: foreign.op }),
      () => client.revert(one, { op: foreign.op }),
      () => client.revert(one, { turn: turns[0]?.id as string }),
      () => client.switchTake(one, foreign.take),
      () => client.renameTake(one, foreign.take, { name: "x" }),
      () => client.deleteTake(one, foreign.take),
      () => client.interruptTurn(one, turns[0]?.id as string),
    ];
    for (const each of tries) expect((await refusal(each())).status).toBe(404);
    const withoutVersions = (all: readonly object[]) => all.map((each) => ({ ...each, version: 0 }));
    expect(withoutVersions(await look())).toEqual(withoutVersions(before));
    expect([server.read("own.txt"), server.read("other.txt")]).toEqual(["1", "1"]);
  });

  test("[P4] a thread works in its own directory, whichever the server was started in", async () => {
    const client = server.client();
    const elsewhere = server.makeDirectory("elsewhere");
    const { thread } = await client.createThread({ workspace_root: elsewhere });
    await server.turn(thread.id, "write there.txt: 1");
    expect(server.read("there.txt")).toBeUndefined();
    expect(server.read("../elsewhere/there.txt")).toBe("1");
    await client.undo(thread.id);
    expect(server.read("../elsewhere/there.txt")).toBeUndefined();
    expect((await client.listThreads({ workspace: elsewhere })).threads.map(({ id }) => id)).toEqual([thread.id]);
    expect(await refusal(client.createThread({ workspace_root: join(server.folder, "none") }))).toMatchObject({
      status: 424,
      code: "workspace-missing",
    });
  });

  test("[P4] a snapshot of another directory is not found under a thread, and restored only where it was taken", async () => {
    const client = server.client();
    const [here, there] = [await server.thread(), server.makeDirectory("there")];
    const { thread } = await client.createThread({ workspace_root: there });
    writeFileSync(join(there, "only-there.txt"), "1");
    const { id } = (await client.takeSnapshot({ thread_id: thread.id })).snapshot;
    const restore = (query: string) =>
      server.fetch(`/v1/snapshots/${id}/restore${query}`, { method: "POST", body: "{}" });
    expect((await restore(`?thread=${here}`)).status).toBe(404);
    expect((await server.fetch(`/v1/snapshots/${id}/diff?thread=${here}`)).status).toBe(404);
    rmSync(join(there, "only-there.txt"));
    expect((await restore("?")).status).toBe(200);
    expect([server.read("only-there.txt"), server.read("../there/only-there.txt")]).toEqual([undefined, "1"]);
  });

  test("[L8] a private thread has the same routes, and its events", async () => {
    const client = server.client();
    const { thread } = await client.createThread({ private: true });
    expect(thread).toMatchObject({ private: true, visibility: "private" });
    const { seq } = await client.getCheckpoint(thread.id);
    await client.addEntry(thread.id, { content: "secret" });
    const [event] = await server.until(thread.id, seq, ({ type }) => type === "operation-committed");
    expect(event).toMatchObject({ thread_id: thread.id, operation: { kind: "entry-inserted" } });
  });

  test("[X7] an edit says beforehand what it breaks for the model, where it is asked", async () => {
    const client = server.client();
    const id = await server.thread("write x7.txt: 1");
    const { entries } = await client.listEntries(id);
    const path = `/v1/threads/${id}/entries/${entries[0]?.id}`;
    const body = JSON.stringify({ content: "changed" });
    const dry = await server.fetch(`${path}?dry_run=true`, { method: "PATCH", body });
    expect(await dry.json()).toMatchObject({ op_id: null, effects: { summary: expect.any(String) } });
    expect((await client.getEntry(id, entries[0]?.id as string)).content).toBe(entries[0]?.content);
    const done = await server.fetch(`${path}?effects=true`, { method: "PATCH", body });
    expect(await done.json()).toMatchObject({ op_id: expect.any(String), effects: { summary: expect.any(String) } });
  });

  test("[F37] a thread says which model it is for and what was sent; a summary says what git does", async () => {
    const client = server.client();
    const id = await server.thread("hello");
    await client.changeSettings(id, { context_files: ["notes.md"] });
    writeFileSync(join(server.root, "notes.md"), "a note");
    await server.turn(id, "again");
    const thread = await client.getThread(id);
    expect(thread).toMatchObject({ model: "scripted/default", provider: "scripted" });
    expect(thread.context_snapshot).toEqual([{ path: "notes.md" }]);
    expect(thread.sent_markdown).toContain("again");
    expect(thread.sent_system_prompt).not.toBe("");
    const summary = async (of: string) => (await client.summarizeThreads()).threads.find((each) => each.id === of);
    expect(await summary(id)).toMatchObject({ head: null, branch: null, dirty: null });
    const root = server.makeDirectory("repository");
    const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
    git("init", "-q", "-b", "main");
    git("-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "--allow-empty", "-m", "first");
    writeFileSync(join(root, "a.txt"), "not committed");
    const { thread: kept } = await client.createThread({ workspace_root: root });
    const { seq } = await client.getCheckpoint(kept.id);
    // A turn that writes waits for git, however long that takes.
    await client.startTurn(kept.id, { prompt: "write b.txt: two", approve_all: true });
    await server.until(
      kept.id,
      seq,
      (event) => event.type === "operation-committed" && event.operation.kind === "git-noted",
    );
    const head = git("rev-parse", "HEAD");
    expect(await summary(kept.id)).toMatchObject({ head, branch: "main", dirty: true });
    expect(await client.getThread(kept.id)).toMatchObject({ git_commit: head, git: { now: { branch: "main" } } });
  });

  test("[F37] [S2] files, context files and screenshots are settings, set as one step with others", async () => {
    const client = server.client();
    const id = await server.thread();
    const { version } = await client.getThread(id);
    const given = { files: ["a.ts", { path: "b.ts", line: 3 }], screenshots: ["s.png"], temperature: 0.5 };
    const { settings } = await client.changeSettings(id, given);
    const lists = { files: [{ path: "a.ts" }, { path: "b.ts", line: 3 }], screenshots: [{ path: "s.png" }] };
    expect(settings).toMatchObject({ ...lists, context_files: [], temperature: 0.5 });
    expect(await client.getSettings(id)).toEqual(settings);
    expect((await client.getThread(id)).version).toBe(version + 1);
    await client.changeSettings(id, { files: ["b.ts", "a.ts"] });
    expect((await client.getSettings(id)).files).toEqual([{ path: "b.ts" }, { path: "a.ts" }]);
    await expect(client.changeSettings(id, { files: ["a", "a"] })).rejects.toMatchObject({ status: 422 });
    await client.undo(id, { steps: 2 });
    expect((await client.getSettings(id)).files).toEqual([]);
  });

  test("an answer that was given is given again, until something changes; who has it is told so", async () => {
    const client = server.client();
    const id = await server.thread("hello");
    const ask = (headers: Record<string, string> = {}) => server.fetch(`/v1/threads/${id}`, { headers });
    const first = await ask();
    const etag = first.headers.get("etag") as string;
    const body = await first.text();
    expect(await (await ask()).text()).toBe(body);
    const known = await ask({ "if-none-match": `"other", ${etag}` });
    expect([known.status, await known.text(), known.headers.get("etag")]).toEqual([304, "", etag]);
    await client.addEntry(id, { content: "more" });
    const changed = await ask({ "if-none-match": etag });
    expect(changed.status).toBe(200);
    expect(await changed.json()).toMatchObject({ entries: JSON.parse(body).entries + 1, active: true });
    // Another thread is current now, and nothing of this one has changed.
    await server.thread();
    expect(await (await ask()).json()).toMatchObject({ active: false });
    expect((await server.fetch(`/v1/threads/${id}?x=1`)).status).toBe(400);
    expect((await server.fetch("/v1/threads/T-none")).status).toBe(404);
  });
});
