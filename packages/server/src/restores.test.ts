import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Client, RetakeEvent } from "@retake/client";
import { event as eventSchema } from "@retake/client/routes";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { amount } from "../../../testing/budget.ts";
import { TestServer } from "./testing/test-server.ts";

const FILES = amount("files", 200, 5000);

type Progress = Extract<RetakeEvent, { type: "progress" }>;

let server: TestServer;
let client: Client;
let thread: string;
beforeEach(async () => {
  server = await TestServer.start();
  client = server.client();
  thread = await server.thread(`run mkdir many && cd many && seq ${FILES} | split -l 1 -a 4`, "run rm -r many");
});
afterEach(() => server.close());

/** Listens to the progress of the thread's files until `work` is done. */
async function listening<T>(work: () => Promise<T>, heard: (progress: Progress) => void): Promise<T> {
  const stop = new AbortController();
  const connected = Promise.withResolvers<void>();
  const listening = (async () => {
    const events = client.followEvents({ thread, signal: stop.signal, onConnection: () => connected.resolve() });
    for await (const event of events) if (event.type === "progress") heard(eventSchema.parse(event) as Progress);
  })();
  await connected.promise;
  try {
    return await work();
  } finally {
    stop.abort();
    await listening;
  }
}

function many(): number {
  return readdirSync(server.root).includes("many") ? readdirSync(join(server.root, "many")).length : 0;
}

describe("restores of thousands of files over HTTP", () => {
  test("[P2] undo, redo, jump and the restore of a snapshot tell whoever follows the thread how far they are", async () => {
    const { operations } = await client.getHistory(thread, { all: true });
    const filled = operations.findLast(({ kind }) => kind === "turn-finished");
    const told: Record<string, Progress[]> = {};
    const tell = (name: string, work: () => Promise<unknown>) => {
      told[name] = [];
      return listening(work, (progress) => told[name]?.push(progress));
    };
    await tell("undo", () => client.undo(thread));
    const { snapshot } = await client.takeSnapshot({ thread_id: thread });
    await tell("redo", () => client.redo(thread));
    await tell("jump", () => client.jump(thread, { op: filled?.id ?? "" }));
    await client.undo(thread, { steps: 1 });
    await tell("restore", () => client.restoreSnapshot(snapshot.id));
    for (const [name, progress] of Object.entries(told)) {
      const restores = progress.filter(({ what }) => what === "restore");
      expect({ name, seen: restores.length }).toEqual({ name, seen: expect.toSatisfy((seen) => seen > 1) });
      for (const each of restores)
        expect(each).toMatchObject({ thread_id: thread, workspace_root: server.root, of: expect.any(Number) });
    }
  });

  test("[P2] who goes away gets all of it or nothing, and nothing where it is not committed yet", async () => {
    const { version } = await client.getThread(thread);
    const leaving = new AbortController();
    await listening(
      () => client.undo(thread, {}, { signal: leaving.signal }).catch(() => undefined),
      () => leaving.abort(),
    );
    // Waits until the first undo has ended, either way.
    await client.undo(thread, { dry_run: true });
    const now = await client.getThread(thread);
    const undone = now.version > version;
    // A restore of few files may be complete before the server notices the abort.
    if (FILES >= 5000) expect(undone).toBe(false);
    expect(many()).toBe(undone ? FILES : 0);
    if (!undone) await client.undo(thread);
    expect(many()).toBe(FILES);
    expect(readdirSync(server.root)).toEqual(["many"]);
  });

  test("[X9] one that was killed is finished by the next server before it serves anybody", async () => {
    await server.stop();
    const script = fileURLToPath(new URL("./testing/killed-undo.ts", import.meta.url));
    expect(spawnSync(process.execPath, [script, server.home, server.root, thread]).signal).toBe("SIGKILL");
    expect(many()).toBeGreaterThan(0);
    expect(many()).toBeLessThan(FILES);
    await server.restart();
    expect(many()).toBe(FILES);
    expect(readdirSync(server.root)).toEqual(["many"]);
  });

  test("[P2] who goes away after it was committed finds it done", async () => {
    const leaving = new AbortController();
    await listening(
      () => client.undo(thread, {}, { signal: leaving.signal }).catch(() => undefined),
      ({ files }) => files > 0 && leaving.abort(),
    );
    await client.undo(thread, { dry_run: true });
    expect(many()).toBe(FILES);
  });
});
