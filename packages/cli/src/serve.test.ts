import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createClient } from "@retake/client";
import { socketFetch } from "@retake/server/running";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";

let session: CliSession;
const children: ChildProcess[] = [];
beforeEach(() => {
  session = new CliSession();
});
afterEach(async () => {
  for (const child of children.splice(0)) await end(child, "SIGKILL");
  session.remove();
});

interface Said {
  readonly url: string;
  readonly socket: string;
  readonly pid: number;
  readonly already_running: boolean;
  readonly link?: string;
}

/** A server as a process of its own, once it has said where it is. */
async function start(command: "serve" | "web", ...args: string[]): Promise<{ child: ChildProcess; said: Said }> {
  const child = session.spawn(command, "--json", ...args);
  children.push(child);
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const [line] = (await once(lines, "line")) as [string];
  return { child, said: JSON.parse(line) as Said };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal);
  return exitOf(child);
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}

const state = (name: string) => join(session.home, "state", name);
const token = () => readFileSync(state("token"), "utf8").trim();

describe("retake serve", () => {
  test("[F40] says where it is, lets only its user in, and leaves nothing behind that doctor would find", async () => {
    const { child, said } = await start("serve");
    expect(JSON.parse(readFileSync(state("server.json"), "utf8"))).toMatchObject({ url: said.url, pid: child.pid });
    for (const name of ["token", "server.json", "server.sock", "server.lock"])
      expect(statSync(state(name)).mode & 0o777).toBe(0o600);
    expect(token()).toMatch(/^[\w-]{43}$/);
    const client = createClient({ url: said.url, token: token() });
    expect(await client.getWorkspaceStatus()).toMatchObject({ workspace_root: session.root });
    const local = createClient({ url: "http://localhost", token: token(), fetch: socketFetch(said.socket) });
    expect((await local.createThread({ title: "over the socket" })).thread.title).toBe("over the socket");
    expect(await session.text("threads")).toContain("over the socket");
    expect(await end(child, "SIGTERM")).toBe(0);
    for (const name of ["server.json", "server.sock"]) expect(existsSync(state(name))).toBe(false);
    expect(await session.json("doctor")).toEqual({ healthy: true, problems: [] });
  });

  test("a second one finds the first and says so; what a killed one left is replaced", async () => {
    const first = await start("serve");
    const second = await start("serve");
    expect(second.said).toMatchObject({ url: first.said.url, pid: first.child.pid, already_running: true });
    expect(await exitOf(second.child)).toBe(0);
    await end(first.child, "SIGKILL");
    expect(existsSync(state("server.json"))).toBe(true);
    const third = await start("serve");
    expect(third.said).toMatchObject({ pid: third.child.pid, already_running: false });
    const client = createClient({ url: third.said.url, token: token() });
    expect((await client.health()).status).toBe("ok");
  });

  test("two that start at once are one", async () => {
    const both = await Promise.all([start("serve"), start("serve")]);
    expect(both.map(({ said }) => said.already_running).sort()).toEqual([false, true]);
    expect(new Set(both.map(({ said }) => said.url)).size).toBe(1);
  });

  test("an address that others can reach is refused without TLS; a wrong port is wrong usage", async () => {
    expect(await session.call("serve", "--host", "0.0.0.0")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("TLS"),
    });
    expect((await session.call("serve", "--port", "99999")).status).toBe(2);
    expect((await session.call("serve", "--tls-cert", "x")).status).toBe(2);
  });

  test("[L9] ended in the middle of a turn, it ends the turn first", async () => {
    const { child, said } = await start("serve");
    const client = createClient({ url: said.url, token: token() });
    const { thread } = await client.createThread({});
    const { seq } = await client.getCheckpoint(thread.id);
    await client.startTurn(thread.id, { prompt: "run sleep 600", approve: "all" as const });
    for await (const event of client.followEvents({ thread: thread.id, since_seq: seq }))
      if (event.type === "operation-committed" && event.operation.kind === "tool-started") break;
    expect(await end(child, "SIGINT")).toBe(0);
    expect((await session.json("history")).operations[0]).toMatchObject({ kind: "turn-finished" });
    expect(await session.text("undo")).toContain("1 turn");
  });
});

test("[F50] SIGTERM ends it within two seconds: tools that ignore it, half a request, readers that do not go", async () => {
  const { child, said } = await start("serve");
  const client = createClient({ url: said.url, token: token() });
  const { thread } = await client.createThread({});
  const { seq } = await client.getCheckpoint(thread.id);
  const prompt = "run trap '' TERM INT HUP; while :; do sleep 0.2; done";
  const { turn_id } = await client.startTurn(thread.id, { prompt, approve: "all" as const });
  for await (const event of client.followEvents({ thread: thread.id, since_seq: seq }))
    if (event.type === "tool-started") break;
  const { hostname, port } = new URL(said.url);
  const half = connect(Number(port), hostname);
  half.on("error", () => {});
  half.write(`POST /v1/threads HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token()}\r\n`);
  half.write("Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{");
  const reader = await fetch(`${said.url}/v1/threads/${thread.id}/turns/${turn_id}/stream`, {
    headers: { authorization: `Bearer ${token()}` },
  });
  const begun = performance.now();
  await end(child, "SIGTERM");
  const took = performance.now() - begun;
  console.log(`ended ${took.toFixed(0)} ms after SIGTERM`);
  await reader.body?.cancel().catch(() => undefined);
  half.destroy();
  expect(took).toBeLessThan(2500);
  expect(await session.text("undo")).toContain("1 turn");
});

describe("retake web", () => {
  test("prints a link that signs in once, from the server that runs or from its own", async () => {
    const { said } = await start("web");
    const again = (await session.json("web")) as unknown as Said;
    expect(again).toMatchObject({ already_running: true, url: said.url });
    for (const { link } of [said, again]) {
      expect(link).not.toContain(token());
      const signed = await fetch(link as string);
      expect([signed.status, signed.headers.has("set-cookie")]).toEqual([200, true]);
      expect((await fetch(link as string)).status).toBe(401);
    }
  });
});
