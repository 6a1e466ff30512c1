import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTurn } from "@retake/core";
import { afterEach, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";

const sessions: CliSession[] = [];
afterEach(() => {
  for (const each of sessions.splice(0)) each.remove();
});

function open(): CliSession {
  const session = new CliSession();
  sessions.push(session);
  return session;
}

describe("retake status", () => {
  test("[P7] works where there is nothing yet: no thread, no git, no capture", async () => {
    const session = open();
    expect(await session.json("status")).toEqual({
      workspace_root: session.root,
      git: null,
      threads: 0,
      thread: null,
      take: null,
      model: "scripted/default",
      draft: "",
      queue: [],
      can_undo: false,
      can_redo: false,
      next_undo: null,
      next_redo: null,
      coverage: null,
      server: null,
      agent: { state: "idle", turn_id: null },
      approvals: { mode: "undoable", confinement: expect.any(String) },
      instructions: [],
      sync: { state: "off", pending: 0 },
      store: { directory: join(session.home, "data"), bytes: expect.any(Number) },
    });
    expect(await session.text("status")).toMatch(
      /Git +not a repository\nThread +none yet\n[\s\S]*retake run <prompt>\n$/,
    );
    expect(await session.call("status", "--thread", "nobody")).toMatchObject({ status: 4 });
  });

  test("[P7] [X4] says what git says, what can be undone, and what is not covered and why", async () => {
    const session = open();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: session.root, encoding: "utf8" }).trim();
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-qm", "first");
    mkdirSync(join(session.root, "node_modules"));
    session.write("node_modules/x.js", "x");
    const thread = await session.thread("login", "printf 'one\\n' > a.txt");
    mkdirSync(join(session.home, "state"), { recursive: true });
    const server = { url: "http://127.0.0.1:1", pid: process.pid };
    writeFileSync(join(session.home, "state", "server.json"), JSON.stringify(server));
    expect(await session.json("status")).toMatchObject({
      git: { branch: "main", head: git("rev-parse", "HEAD"), dirty: true, remote: null },
      threads: 1,
      thread: { id: thread, title: "login", active: true },
      take: { name: "main", entries: 4 },
      can_undo: true,
      can_redo: false,
      next_undo: "Turn: printf 'one\\n' > a.txt",
      next_redo: null,
      coverage: { files: 2, bytes: 9, uncovered: [{ path: "node_modules", reason: "cache" }] },
      server,
    });
    await session.text("undo");
    const text = await session.text("status");
    expect(text).toMatch(/Workspace +\S+work\nGit +main [0-9a-f]{10}, uncommitted changes\nThread +login\n/);
    expect(text).toMatch(/Undo +nothing to undo\nRedo +Turn: printf .*\nDraft +printf 'one/);
    expect(text).toMatch(/Files +1 file, 5 B, captured .*\n[\s\S]*Not covered.*: 1\n +cache +node_modules\n/);
    expect(text).toMatch(/retake redo · .*retake run <prompt>\n$/);
  });

  test("[L9] a turn whose process is gone and that cannot be ended is told of as interrupted", async () => {
    const session = open();
    const thread = await session.thread("login");
    const workspace = session.open();
    workspace.store.change(thread, (state, context) =>
      startTurn(state, context, { turn_id: "t", prompt: { id: "p", content: "go" } }),
    );
    await workspace.close();
    expect((await session.json("status"))["agent"]).toEqual({ state: "interrupted", turn_id: "t" });
  });
});
