/**
 * Machines that work and sync at the same time, over a network with every fault, while their processes, the server and
 * its database are killed at random. When the faults end, all machines come to rest with the same operations: none is lost, none is
 * there twice.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startPostgres, type TestPostgres } from "../packages/sync-server/src/testing/start-postgres.ts";
import { amount, SEED } from "../testing/budget.ts";
import { FAULTS } from "./sync/fault-proxy.ts";
import { expectEqual, logs, SyncPlaces, syncAll } from "./sync/sync-places.ts";
import { randomOf } from "./testing/random-of.ts";
import type { RetakePlace } from "./testing/retake-place.ts";

const MACHINES = amount("cases", 2, 5);
const STEPS = amount("steps", 6, 200);

let sync: SyncPlaces;
let postgres: TestPostgres;
const random = randomOf(SEED);
const among = (count: number) => Math.floor(random() * count);

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());
afterEach(() => sync.close());

describe.each(["SQLite", "PostgreSQL"])("sync over a bad network with a server on %s", (kind) => {
  test(`[L6] [L7] loses nothing while requests fail and processes are killed, and ends equal (RETAKE_SEED=${SEED})`, async () => {
    sync = new SyncPlaces(random, kind === "SQLite" ? "" : await postgres.createDatabase());
    await sync.start();
    const machines: RetakePlace[] = [];
    for (let each = 0; each < MACHINES; each += 1) machines.push(await sync.join());
    const threads: { readonly id: string; readonly root: string }[] = [];
    for (const machine of machines) {
      const { answer } = await machine.call(["run", `write of-${threads.length}.txt: begun`, "--new"]);
      threads.push({ id: String(answer["thread_id"]), root: machine.root });
    }
    await syncAll(machines);
    sync.proxy.choose = () => (random() < 0.5 ? FAULTS[among(FAULTS.length)] : undefined);

    const acknowledged = new Set<string>();
    const killed = { clients: 0, servers: 0, databases: 0 };
    let down = false;
    for (let step = 0; step < STEPS; step += 1) {
      const machine = machines[among(machines.length)] as RetakePlace;
      const { id, root } = threads[among(threads.length)] as (typeof threads)[number];
      const entry = `step ${step}`;
      const args = ["insert", "--thread", id, "--content", entry];
      if ((await machine.call(args, root)).status === 0) acknowledged.add(entry);
      // Some sync at the same time; some of these are killed, at any moment.
      const working = machines.filter(() => random() < 0.6).map((each) => syncOrKill(each));
      if (kind === "PostgreSQL" && random() < 0.15) {
        await postgres.crash();
        killed.databases += 1;
      }
      if (random() < 0.15) {
        const signal = random() < 0.5 ? "SIGKILL" : "SIGTERM";
        await sync.stopServer(signal);
        killed.servers += Number(!down && signal === "SIGKILL");
        down = true;
      }
      killed.clients += (await Promise.all(working)).filter(Boolean).length;
      if (down && random() < 0.7) {
        await sync.startServer();
        down = false;
      }
    }
    if (down) await sync.startServer();
    sync.proxy.choose = () => undefined;
    const { clients, servers, databases } = killed;
    console.log(
      `${kind}: ${STEPS} steps on ${MACHINES} machines, ${clients} clients, ${servers} servers and ${databases} databases killed`,
    );

    await syncAll(machines);
    await expectEqual(machines);
    const [first] = machines as [RetakePlace];
    const { operations } = logs(first);
    expect(new Set(operations).size).toBe(operations.length);
    const found = new Set<string>();
    for (const { id, root } of threads) for (const entry of await entriesOf(first, id, root)) found.add(entry);
    expect([...acknowledged].filter((entry) => !found.has(entry))).toEqual([]);
  });
});

/** Syncs in a process of its own, which is killed in one of two cases. Answers whether it was. */
async function syncOrKill(machine: RetakePlace): Promise<boolean> {
  const isKilled = random() < 0.5;
  const delay = random() * 1500;
  const { status } = await machine.spawnBeside(["sync", "now"], {
    onStart: (child) => void (isKilled && sleep(delay).then(() => child.kill("SIGKILL"))),
  });
  expect([0, 1, null]).toContain(status);
  return status === null;
}

/** The inserted entries of all takes of a thread. */
async function entriesOf(machine: RetakePlace, thread: string, root: string): Promise<string[]> {
  const { takes } = (await machine.call(["takes", "--thread", thread], root)).answer;
  const found: string[] = [];
  for (const { id } of takes as { id: string }[]) {
    const { entries } = (await machine.call(["log", "--thread", thread, "--take", id], root)).answer;
    found.push(...(entries as { content: string }[]).map(({ content }) => content));
  }
  return found;
}
