import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal } from "./testing/refusal.ts";
import { TestServer } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

describe("the routes of a thread", () => {
  test("[P2] [P3] a refused retry changes nothing and leaves no thread behind", async () => {
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

  test("[U6] [X1] a dry run changes nothing; a conflict is a 409 that lists the conflicts", async () => {
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

  test("[U2] nothing to undo is no error", async () => {
    const id = await server.thread();
    expect(await server.client().undo(id)).toMatchObject({ op_id: null, message: "Nothing to undo" });
  });

  test("all pages of entries together are the whole conversation", async () => {
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

  test("[X7] on request an edit reports beforehand what it breaks for the model", async () => {
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

  test("[F37] a thread reports its model and its last request; a summary reports the state of git", async () => {
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
    await client.startTurn(kept.id, { prompt: "write b.txt: two", approve: "all" as const });
    await server.until(
      kept.id,
      seq,
      (event) => event.type === "operation-committed" && event.operation.kind === "git-noted",
    );
    const head = git("rev-parse", "HEAD");
    expect(await summary(kept.id)).toMatchObject({ head, branch: "main", dirty: true });
    expect(await client.getThread(kept.id)).toMatchObject({ git_commit: head, git: { now: { branch: "main" } } });
  });

  test("[F37] [S2] files, context files and screenshots are settings, changed in one step with others", async () => {
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

  test("[S2] [X6] settings are changed in the take that is named, and in the active one where none is", async () => {
    const client = server.client();
    const id = await server.thread();
    await server.turn(id, "write a.txt: one");
    await client.changeSettings(id, { draft: "of the first" });
    await client.branch(id, { entry: "#1" });
    await client.changeSettings(id, { draft: "of the second" });
    const { settings } = await client.changeSettings(id, { draft: "more of the first", take: "main" });
    expect(settings.draft).toBe("more of the first");
    expect((await client.getSettings(id)).draft).toBe("of the second");
    expect((await client.getSettings(id, { take: "main" })).draft).toBe("more of the first");
    // The step belongs to its take: an undo in the other take leaves it.
    await client.undo(id, { steps: 1 });
    expect((await client.getSettings(id, { take: "main" })).draft).toBe("more of the first");
    await expect(client.changeSettings(id, { draft: "x", take: "nowhere" })).rejects.toMatchObject({ status: 404 });
  });
});
