import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { type PushedSegment, SYNC_LIMITS } from "@retake/core/sync";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startPostgres, type TestPostgres } from "../packages/sync-server/src/testing/start-postgres.ts";
import { blob, operation, TestDevice } from "../packages/sync-server/src/testing/test-device.ts";
import { amount, SEED } from "../testing/budget.ts";
import { MAIN } from "../testing/main.ts";
import { RandomNumbers } from "../testing/random-numbers.ts";

/**
 * Five devices push to the built server while it, and its database, are killed. A device repeats a push until it has an
 * answer, as the worker does. Whatever was answered must be there at the end, with the same number.
 */
const DEVICES = 5;
let postgres: TestPostgres;
let folder: string;
let server: ChildProcess | undefined;
let url = "";
/** Nobody has killed the server, and it ended. */
let death: Error | undefined;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-sync-kills-"));
});
afterEach(async () => {
  await end("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({ ...process.env, RETAKE_HOME: join(folder, "home") });

async function start(db: string): Promise<void> {
  const port = url === "" ? "0" : new URL(url).port;
  const args = [MAIN, "sync-server", "--db", db, "--blobs", join(folder, "blobs"), "--port", port, "--json"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], env: environment() });
  server = child;
  let errors = "";
  child.stderr.on("data", (data) => {
    errors = `${errors}${data}`.slice(-2000);
  });
  const died = once(child, "close").then(([, signal]) => {
    if (signal !== "SIGKILL") death = new Error(`The server ended by itself: ${errors}`);
    return [""];
  });
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), "line"), died])) as [string];
  if (death) throw death;
  ({ url } = JSON.parse(line) as { url: string });
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, "exit");
  server.kill(signal);
  await ended;
}

async function invite(db: string, vault: string): Promise<string> {
  const args = [MAIN, "sync-server", "invite", "--db", db, ...(vault === "" ? [] : ["--vault", vault]), "--json"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], env: environment() });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return (JSON.parse(line) as { invitation: string }).invitation;
}

/** Repeats a call until there is an answer. */
async function insist<T>(call: () => Promise<{ readonly kind: string; readonly answer?: T }>): Promise<T> {
  for (;;) {
    if (death) throw death;
    const outcome = await call().catch(() => ({ kind: "no-answer", answer: undefined }));
    if (outcome.kind === "answer") return outcome.answer as T;
    const { code = "server-failure" } = outcome as { readonly code?: string };
    // Nothing else may come of a server that is killed.
    expect(["server-failure", "unavailable", "missing", "too-many-requests"]).toContain(code);
    await sleep(20);
  }
}

/** A device that pushes its own line of operations, each with a blob. */
async function pushAll(device: TestDevice, name: string, count: number): Promise<Map<string, number>> {
  const answered = new Map<string, number>();
  let parent = "root";
  for (let index = 0; index < count; index += 1) {
    const id = `${name}-${index}`;
    const file = blob(`content of ${id}`);
    const made = operation(id, parent);
    const answer = await insist<PushedSegment>(async () => {
      await device.putPack([file], `pack-${id}`);
      return device.push("t", [made], { blobs: [file.name] });
    });
    answered.set(id, answer.seq);
    parent = id;
  }
  return answered;
}

describe.each(["SQLite", "PostgreSQL"])("a sync server on %s that is killed", (kind) => {
  test("[L6] [L7] loses nothing that it has answered, and stores nothing twice", async () => {
    url = "";
    death = undefined;
    const random = new RandomNumbers(SEED);
    const kills = amount("kills", 4, 250);
    const db = kind === "SQLite" ? join(folder, "sync.db") : await postgres.createDatabase();
    await start(db);
    const devices: TestDevice[] = [];
    for (let index = 0; index < DEVICES; index += 1)
      devices.push(await new TestDevice(url).join(await invite(db, devices[0]?.vault ?? "")));
    const [first] = devices as [TestDevice];
    await first.register("t");
    await first.push("t", [operation("root")]);
    // In `work` for as long as there are kills.
    let over = false;
    const work = devices.map(async (device, index) => {
      const all = new Map<string, number>();
      for (let part = 0; !over || part === 0; part += 1)
        for (const [id, seq] of await pushAll(device, `d${index}-${part}`, 3)) all.set(id, seq);
      return all;
    });
    const done = Promise.all(work);
    // Awaited after the kills.
    done.catch(() => undefined);
    for (let count = 0; count < kills && !death; count += 1) {
      await sleep(100 + random.below(400));
      if (kind === "PostgreSQL" && random.percent(30)) await postgres.crash();
      else {
        await end("SIGKILL");
        await start(db);
      }
    }
    over = true;
    const answered = new Map((await done).flatMap((each) => [...each]));
    expect(answered.size).toBeGreaterThanOrEqual(DEVICES * 3);

    const stored = new Map<string, number>();
    const followed = new Set<string>();
    let [after, last] = [0, 1];
    let heads: readonly { readonly operation: string }[] = [];
    while (after < last) {
      const answer = await first.ask("pullSegments", { vault: first.vault, thread: "t", seen: [], after });
      for (const { seq, envelope } of answer.segments) {
        after += 1;
        expect(seq).toBe(after);
        for (const { id, parents } of envelope.operations) {
          expect(stored.has(id)).toBe(false);
          for (const parent of parents) {
            expect(stored.has(parent)).toBe(true);
            followed.add(parent);
          }
          stored.set(id, seq);
        }
      }
      ({ last_seq: last, heads } = answer);
    }
    for (const [id, seq] of answered) expect([id, stored.get(id)]).toEqual([id, seq]);
    expect(stored.size).toBe(answered.size + 1);
    expect(heads.map(({ operation: id }) => id).sort()).toEqual(
      [...stored.keys()].filter((id) => !followed.has(id)).sort(),
    );
    const names = [...answered.keys()].map((id) => blob(`content of ${id}`).name).slice(0, SYNC_LIMITS.check_names);
    expect(await first.ask("checkBlobs", { vault: first.vault, names })).toEqual({ missing: [] });
    console.log(`${kind}: ${kills} kills, ${answered.size} pushes answered, seed ${SEED}`);
  });
});
