/**
 * Pushes of 20 operations to a sync server, over HTTP, beside the bare SQL transaction that stores as many rows; and a new
 * device that reads all segments, beside the bare query. PostgreSQL, 8 clients, each with a vault of its own.
 */
import { fork } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  SYNC_VERSION,
  type SyncAnswer,
  type SyncCall,
  type SyncInput,
  syncRequest,
  VERSION_HEADER,
} from "@retake/core/sync";
import { openPool, startPostgres } from "../packages/sync-server/src/testing/start-postgres.ts";
import { operation, sha256, TestDevice } from "../packages/sync-server/src/testing/test-device.ts";
import { type Row, report, sideBySide } from "./measure.ts";
import { Client } from "./served-retake.ts";

const CLIENTS = 8;
const PUSHES = 25;
const OPERATIONS = 20;
const ROUNDS = 9;
/** 20 operations of 1 KB, compressed. */
const BODY = randomBytes(4096);

const folder = mkdtempSync(join(tmpdir(), "retake-bench-"));
const postgres = await startPostgres();
/** Lets every client do its work as often, at the same time. */
async function atOnce(work: (client: number) => Promise<unknown>): Promise<void> {
  const client = async (_: unknown, index: number) => {
    for (let count = 0; count < PUSHES; count += 1) await work(index);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/** Not by `fetch`: with it a client takes three quarters of the processor time of the server, twice that of a bare client. */
async function ask<C extends SyncCall>(client: Client, call: C, input: SyncInput<C>): Promise<SyncAnswer<C>> {
  const { method, path, body } = syncRequest(call, input);
  return JSON.parse(await client.ask(method, path, body as string | undefined)) as SyncAnswer<C>;
}

async function pushesTo(
  db: string,
): Promise<{ push: () => Promise<void>; pull: () => Promise<void>; close: () => Promise<void> }> {
  const server = fork(fileURLToPath(new URL("./sync-process.ts", import.meta.url)), [db, join(folder, randomUUID())]);
  const answer = async () => ((await once(server, "message")) as [string])[0];
  const url = await answer();
  const invite = () => {
    server.send({ invite: true });
    return answer();
  };
  const devices: TestDevice[] = [];
  const clients: Client[] = [];
  const heads: string[] = [];
  for (let index = 0; index < CLIENTS; index += 1) {
    const device = await new TestDevice(url).join(await invite());
    await device.register("t");
    devices.push(device);
    clients.push(new Client(url, device.token, { [VERSION_HEADER]: String(SYNC_VERSION) }));
  }
  const push = () =>
    atOnce(async (index) => {
      const [device, client] = [devices[index] as TestDevice, clients[index] as Client];
      const ids = Array.from({ length: OPERATIONS }, () => randomUUID());
      const parents = [heads[index], ...ids];
      const operations = ids.map((id, at) => operation(id, ...(parents[at] === undefined ? [] : [parents[at]])));
      const segment = device.segment("t", operations, { size: BODY.length, digest: sha256(BODY) });
      const { vault } = device;
      const sent = { ...segment, body: BODY.toString("base64") };
      const input = { vault, thread: "t", seen: device.seen, segment: sent };
      const { change } = await ask(client, "pushSegment", input);
      device.seen = [change];
      heads[index] = ids.at(-1) ?? "";
    });
  const pull = async () => {
    const [{ vault, seen }, client] = [devices[0] as TestDevice, clients[0] as Client];
    for (let after = 0, last = 1; after < last; ) {
      const answer = await ask(client, "pullSegments", { vault, thread: "t", seen, after });
      after = answer.segments.at(-1)?.seq ?? last;
      last = answer.last_seq;
    }
  };
  const close = async () => {
    const ended = once(server, "exit");
    for (const { agent } of clients) agent.destroy();
    server.send({});
    await ended;
  };
  return { push, pull, close };
}

/** The statements without which nothing would be stored, and nothing else. */
async function bare(): Promise<{ push: () => Promise<void>; pull: () => Promise<void>; close: () => Promise<void> }> {
  const pool = openPool(await postgres.createDatabase(), CLIENTS);
  await pool.query(`
    CREATE TABLE threads (vault TEXT PRIMARY KEY, last_seq BIGINT, head TEXT);
    CREATE TABLE segments (vault TEXT, seq BIGINT, envelope TEXT, body BYTEA, PRIMARY KEY (vault, seq));
    CREATE TABLE operations (vault TEXT, id TEXT, tag TEXT, seq BIGINT, PRIMARY KEY (vault, id))`);
  for (let index = 0; index < CLIENTS; index += 1)
    await pool.query("INSERT INTO threads VALUES ($1, 0, '')", [`v${index}`]);
  const push = () =>
    atOnce(async (index) => {
      const vault = `v${index}`;
      const ids = Array.from({ length: OPERATIONS }, () => randomUUID());
      const envelope = JSON.stringify(ids.map((id) => operation(id, id)));
      const client = await pool.connect();
      await client.query("BEGIN");
      const { rows } = await client.query("SELECT last_seq FROM threads WHERE vault = $1 FOR UPDATE", [vault]);
      const seq = Number(rows[0].last_seq) + 1;
      await client.query("INSERT INTO segments VALUES ($1, $2, $3, $4)", [vault, seq, envelope, BODY]);
      const places = ids.map((_, at) => `($1, $${at + 3}, $${at + 3}, $2)`);
      await client.query(`INSERT INTO operations VALUES ${places}`, [vault, seq, ...ids]);
      await client.query("UPDATE threads SET last_seq = $2, head = $3 WHERE vault = $1", [vault, seq, ids.at(-1)]);
      await client.query("COMMIT");
      client.release();
    });
  const pull = async () => {
    await pool.query("SELECT seq, envelope, body FROM segments WHERE vault = 'v0' ORDER BY seq");
  };
  return { push, pull, close: () => pool.end() };
}

const onPostgres = await pushesTo(await postgres.createDatabase());
const onSqlite = await pushesTo(join(folder, "sync.db"));
const alone = await bare();
const count = CLIENTS * PUSHES;
const rows: Row[] = [];
const pushes = await sideBySide(ROUNDS, { work: onPostgres.push }, { work: alone.push });
rows.push({ what: `${count} pushes of ${OPERATIONS} operations, PostgreSQL / bare SQL`, ...pushes, atMost: 2 });
const sqlite = await sideBySide(ROUNDS, { work: onSqlite.push }, { work: alone.push });
rows.push({
  what: `${count} pushes of ${OPERATIONS} operations, SQLite / bare SQL on PostgreSQL`,
  ...sqlite,
  atMost: 2,
});
const pulls = await sideBySide(ROUNDS, { work: onPostgres.pull }, { work: alone.pull });
rows.push({ what: `${ROUNDS * PUSHES * OPERATIONS} operations pulled, PostgreSQL / bare SQL`, ...pulls, atMost: 5 });
report("Sync server (8 clients)", rows);
console.log(
  `  ${((count / pushes.ours) * 1000).toFixed(0)} pushes a second on PostgreSQL, ${((count / sqlite.ours) * 1000).toFixed(0)} on SQLite`,
);
for (const each of [onPostgres, onSqlite, alone]) await each.close();
await postgres.stop();
rmSync(folder, { recursive: true });
