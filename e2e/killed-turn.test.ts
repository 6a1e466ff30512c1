/**
 * A turn whose process is killed while a tool runs. The first command after it ends the turn and captures the files, also
 * one that only reads; what changes after that is the user's.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Client } from "../packages/client/src/index.ts";
import { TestServer } from "../packages/server/src/testing/test-server.ts";
import { MAIN } from "../testing/main.ts";
import { type Answer, RetakePlace } from "./testing/retake-place.ts";

let place: RetakePlace;
beforeEach(() => {
  place = new RetakePlace();
  writeFileSync(join(place.root, "user.txt"), "before\n");
});
afterEach(() => place.remove());

const read = (path: string) =>
  existsSync(join(place.root, path)) ? readFileSync(join(place.root, path), "utf8") : undefined;

const COMMAND = "run echo half > tool.txt; touch started; exec sleep 5";

/** A turn that is inside its tool. */
async function runningTurn() {
  const child = spawn(process.execPath, [MAIN, "run", COMMAND, "--new", "--approve", "all", "--json"], {
    cwd: place.root,
    env: place.environment,
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  while (!existsSync(join(place.root, "started"))) await delay(20);
  return { kill: () => child.kill("SIGKILL") && ended, ended };
}

async function killTurn(): Promise<void> {
  await (await runningTurn()).kill();
}

async function ask(...args: string[]): Promise<Answer> {
  const { status, answer, stdout, stderr } = await place.call(args);
  expect({ args, status, stdout, stderr }).toMatchObject({ status: 0 });
  return answer;
}

test.each(["status", "entries", "history", "threads"])(
  "[F21] [L9] [U4] what changes after %s is the user's, not the killed turn's",
  async (command) => {
    await killTurn();
    await ask(command);
    writeFileSync(join(place.root, "user.txt"), "mine\n");
    writeFileSync(join(place.root, "mine.txt"), "mine\n");
    await ask("undo");
    expect(["tool.txt", "user.txt", "mine.txt"].map(read)).toEqual([undefined, "mine\n", "mine\n"]);
  },
);

test("[F32] [L9] after a kill, reading says that the tool's end is unknown and that the turn can be undone", async () => {
  await killTurn();
  const { entries } = await ask("entries");
  const tools = (entries as Answer[]).flatMap((entry) => entry["tool_result"] ?? []);
  expect(tools).toMatchObject([{ name: "bash", status: "unknown" }]);
  expect(await ask("history")).toMatchObject({ can_undo: true });
});

test("[F21] [L9] a turn that still runs is read as it is, and nobody waits for it", async () => {
  const turn = await runningTurn();
  const { entries } = await ask("entries");
  const tools = (entries as Answer[]).flatMap((entry) => entry["tool_result"] ?? []);
  expect(tools).toMatchObject([{ name: "bash", status: "running" }]);
  await turn.ended;
  expect(await ask("history")).toMatchObject({ can_undo: true });
});

/** The answer of each route about a thread whose turn was killed in another process. */
const ROUTES: Readonly<Record<string, (client: Client, thread: string) => Promise<unknown>>> = {
  getThread: async (client, thread) => (await client.getThread(thread)).agent,
  summarizeThreads: async (client) => (await client.summarizeThreads()).threads[0]?.running_turn,
  listTurns: async (client, thread) => statusIn((await client.listTurns(thread)).turns.at(-1)?.status, "interrupted"),
  listEntries: async (client, thread) => {
    const { entries } = await client.listEntries(thread);
    return statusIn(entries.findLast((entry) => entry.tool_result)?.tool_result?.status, "unknown");
  },
  getHistory: async (client, thread) =>
    statusIn((await client.getHistory(thread, { all: true })).operations[0]?.kind, "turn-finished"),
  getWorkspaceStatus: async (client) => statusIn((await client.getWorkspaceStatus()).agent.state, "idle"),
  getState: async (client) => (await client.getState())["running_turn"],
  changeSettings: async (client, thread) => {
    const { op_id } = await client.changeSettings(thread, { temperature: Math.random() });
    const { operations } = await client.getHistory(thread, { all: true });
    const changed = operations.findIndex(({ id }) => id === op_id);
    const before = operations.slice(changed + 1).find(({ actor }) => actor.kind !== "editor");
    return statusIn(before?.kind, "turn-finished");
  },
};

const statusIn = (found: unknown, expected: string) => (found === expected ? null : found);

test.each(Object.entries(ROUTES))(
  "[F32] [L9] a running server ends a turn whose process was killed when it is asked for it by %s",
  async (_, ask) => {
    const server = await TestServer.start();
    try {
      const client = server.client();
      const thread = await server.thread("write a.txt: one");
      // Answers of before are kept by the server.
      await ask(client, thread);
      const child = spawn(process.execPath, [MAIN, "run", COMMAND, "--thread", thread, "--approve", "all", "--json"], {
        cwd: server.root,
        env: { ...process.env, RETAKE_HOME: server.home },
        stdio: "ignore",
      });
      const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
      while (!existsSync(join(server.root, "started"))) await delay(20);
      expect((await client.getThread(thread)).agent).toMatchObject({ tool_calls: [{ name: "bash" }] });
      child.kill("SIGKILL");
      await ended;
      expect(await ask(client, thread)).toBeNull();
      await client.undo(thread);
      expect([server.read("tool.txt"), server.read("a.txt")]).toEqual([undefined, "one"]);
    } finally {
      await server.close();
    }
  },
);
