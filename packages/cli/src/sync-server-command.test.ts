import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { syncRequest } from "@retake/core/sync";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ServedSession } from "./testing/served-session.ts";

let session: ServedSession;
beforeEach(() => {
  session = new ServedSession();
});
afterEach(() => session.end());

describe("retake sync-server", () => {
  test("[L5] serves until it is ended, and takes invitations that were made meanwhile", async () => {
    const server = session.begin("sync-server", "--json");
    const [line] = (await once(createInterface({ input: server.stdout as NodeJS.ReadableStream }), "line")) as [string];
    const { url } = JSON.parse(line) as { url: string };
    expect(await (await fetch(`${url}/ready`)).json()).toEqual({ status: "ready" });

    const { invitation } = JSON.parse((await session.ran("sync-server", "invite", "--json")).stdout);
    const device = { name: "laptop", public_key: Buffer.alloc(32).toString("base64"), token_hash: "0".repeat(64) };
    const { method, path, headers, body } = syncRequest("join", { invitation, device });
    const joined = await fetch(url + path, { method, headers, body: String(body) });
    expect(await joined.json()).toMatchObject({ vault: expect.any(String), kid: null });

    const ended = once(server, "exit");
    server.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(existsSync(join(session.home, "data", "sync-server", "sync.db"))).toBe(true);
  });

  test("[L6] sync now fails when the server is not reached, though nothing waits to be sent", async () => {
    const server = session.begin("sync-server", "--json");
    const [line] = (await once(createInterface({ input: server.stdout as NodeJS.ReadableStream }), "line")) as [string];
    const { url } = JSON.parse(line) as { url: string };
    const { invitation } = JSON.parse((await session.ran("sync-server", "invite", "--json")).stdout);
    expect(await session.ran("sync", "login", url, invitation)).toMatchObject({ status: 0 });
    expect(await session.ran("sync", "now")).toMatchObject({ status: 0, stdout: expect.stringContaining("✓") });
    const ended = once(server, "exit");
    server.kill("SIGTERM");
    await ended;
    const { status, stdout } = await session.ran("sync", "now");
    expect(status).toBe(1);
    expect(stdout).toMatch(/^Nothing waits to be sent to .*\n[^✓]*cannot be reached/);
  });

  test("[L5] recover without words asks for them", async () => {
    const { status, stderr } = await session.ran("sync", "recover", "http://127.0.0.1:7420");
    expect([status, stderr]).toEqual([2, expect.stringContaining("24 recovery words")]);
  });

  test.each([
    ["an address of other machines without TLS", ["--host", "0.0.0.0"], /--behind-proxy/],
    ["a name that begins like an address of this machine", ["--host", "127.example.com"], /--behind-proxy/],
    ["a word that it does not know", ["nonsense"], /There is no/],
    ["a port that is none", ["--port", "x"], /is not a port/],
  ])("[L5] refuses %s", async (_, args, message) => {
    const { status, stderr } = await session.ran("sync-server", ...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });

  test("[L5] makes no invitation for a vault that does not exist", async () => {
    const { status, stderr } = await session.ran("sync-server", "invite", "--vault", "nobody");
    expect(status).toBe(4);
    expect(stderr).toMatch(/There is no vault nobody/);
  });
});
