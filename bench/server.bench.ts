/**
 * The server under its clients: the cost of a durable edit over HTTP beside bare commits, reads while a turn streams,
 * the delay of an event to all readers, and the memory of the process.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { editEntry, replaceEntries } from "@retake/core";
import { Identity } from "../packages/runtime/src/store/identity.ts";
import { openDatabase } from "../packages/runtime/src/store/open-database.ts";
import { ThreadStore } from "../packages/runtime/src/store/thread-store.ts";
import { atOnce } from "./at-once.ts";
import { BuiltRetake } from "./built-retake.ts";
import { quantile, type Row, report, sideBySide } from "./measure.ts";
import { ServedRetake } from "./served-retake.ts";

const CLIENTS = 64;
const READERS = 200;
const LARGE = 100_000;
const EDITS = 256;
const READS = 4000;
/** V8 gives memory back a while after it was needed. */
const SETTLING_MS = 15_000;

const built = new BuiltRetake();

/** Says a little every few milliseconds, for longer than anything is measured. */
function streamingScript(): string {
  const file = join(built.folder, "script.json");
  const step = { text: "A sentence of an answer. ".repeat(20), tool_calls: [{ name: "todo", input: { items: [] } }] };
  writeFileSync(file, JSON.stringify({ turns: [{ steps: Array.from({ length: 5000 }, () => step) }] }));
  return file;
}

async function newThread(server: ServedRetake, entries: number): Promise<string> {
  const { thread } = JSON.parse(await server.ask("POST", "/v1/threads", {})) as { thread: { id: string } };
  const list = Array.from({ length: entries }, (_, index) => ({ id: `entry-${index}`, content: `Entry ${index}.` }));
  await server.ask("PUT", `/v1/threads/${thread.id}/entries`, { entries: list });
  return thread.id;
}

/**
 * Edits a second by as many clients as there are, each on a connection that stays and waiting for its answer, beside as
 * many commits of one row, one by one: both flush to the same disk, and take turns. The clients are this process, so the
 * server has the other core; a request costs them about half of what it costs the server, which is what is measured.
 */
async function edits(server: ServedRetake): Promise<Row> {
  const thread = await newThread(server, CLIENTS);
  let round = 0;
  const ours = {
    work: () => {
      round += 1;
      return atOnce(CLIENTS, EDITS, (index) =>
        server.ask("PATCH", `/v1/threads/${thread}/entries/entry-${index % CLIENTS}`, { content: `${round} ${index}` }),
      );
    },
  };
  const bare = new DatabaseSync(join(built.folder, "bare.db"));
  bare.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (id INTEGER PRIMARY KEY, text)");
  const statement = bare.prepare("INSERT OR REPLACE INTO rows VALUES (?, ?)");
  const other = {
    work: () => {
      for (let index = 0; index < EDITS; index += 1) statement.run(index % CLIENTS, `${round} ${index}`);
    },
  };
  try {
    const times = await sideBySide(41, ours, other);
    return { what: `${EDITS} edits by ${CLIENTS} clients / bare SQLite commits`, ...times, atMost: 2 };
  } finally {
    bare.close();
  }
}

/** How long reads take while a turn streams: the slowest of a hundred beside the one in the middle. */
async function reads(server: ServedRetake): Promise<Row> {
  const thread = await newThread(server, 100);
  const { turn_id } = JSON.parse(
    await server.ask("POST", `/v1/threads/${thread}/turns`, { prompt: "Stream.", approve: "all" as const }),
  ) as { turn_id: string };
  await until(async () => (await server.ask("GET", `/v1/threads/${thread}/turns`)).includes('"status":"running"'));
  const times: number[] = [];
  await atOnce(CLIENTS, READS, async (index) => {
    const started = performance.now();
    await server.ask("GET", `/v1/threads/${thread}/entries/entry-${index % 100}`);
    // The first ones open their connections.
    if (index >= CLIENTS * 4) times.push(performance.now() - started);
  });
  const { turns } = JSON.parse(await server.ask("GET", `/v1/threads/${thread}/turns`)) as {
    turns: { status: string }[];
  };
  if (turns.at(-1)?.status !== "running") throw new Error("the turn ended while it was measured");
  await server.ask("POST", `/v1/threads/${thread}/turns/${turn_id}/interrupt`, {});
  const what = `reads by ${CLIENTS} clients while a turn streams: 99th percentile / median`;
  return { what, ours: quantile(times, 0.99), other: quantile(times, 0.5), atMost: 5 };
}

/** From when an edit is sent, which is before its commit, to when a reader has its event. */
async function events(server: ServedRetake): Promise<Row> {
  const thread = await newThread(server, 1);
  const arrivals: number[] = [];
  let heard = 0;
  let told = () => {};
  const readers = await Promise.all(
    Array.from({ length: READERS }, async () => {
      const response = await server.open("GET", `/v1/events?thread=${thread}`, undefined, false);
      response.setEncoding("utf8");
      await new Promise<void>((resolve) => {
        response.on("data", (chunk: string) => {
          resolve();
          if (!chunk.includes("operation-committed")) return;
          arrivals.push(performance.now());
          heard += 1;
          if (heard === READERS) told();
        });
      });
      return response;
    }),
  );
  const delays: number[] = [];
  for (let edit = 0; edit < 30; edit += 1) {
    heard = 0;
    arrivals.length = 0;
    const all = new Promise<void>((resolve) => {
      told = resolve;
    });
    const sent = performance.now();
    await server.ask("PATCH", `/v1/threads/${thread}/entries/entry-0`, { content: `edit ${edit}` });
    await all;
    delays.push(...arrivals.map((arrival) => arrival - sent));
  }
  for (const reader of readers) reader.destroy();
  return { what: `an edit, to ${READERS} readers: median / 20 ms`, ours: quantile(delays, 0.5), other: 20, atMost: 1 };
}

/**
 * A large thread as clients open it: its whole state, all entries, and its events. Measures the memory after they
 * settle.
 */
async function openLarge(server: ServedRetake, thread: string): Promise<Row> {
  await server.ask("GET", `/v1/threads/${thread}`);
  await server.ask("GET", `/v1/threads/${thread}/checkpoint`);
  await server.ask("GET", `/v1/threads/${thread}/entries`);
  const following = await server.open("GET", `/v1/events?thread=${thread}`, undefined, false);
  await server.ask("PATCH", `/v1/threads/${thread}/entries/entry-0`, { content: "edited" });
  console.log(
    `\nmemory right after ${LARGE.toLocaleString("en")} entries were sent twice: ${server.memory().toFixed(0)} MB`,
  );
  await new Promise((resolve) => setTimeout(resolve, SETTLING_MS));
  const ours = server.memory();
  following.destroy();
  const what = `memory with a thread of ${LARGE.toLocaleString("en")} entries open, once settled`;
  return { what, ours, other: 300, unit: "MB", atMost: 1 };
}

/** Past the server, which takes no request that large; an edit follows, as in every thread that somebody works in. */
function fillThread(thread: string): void {
  const database = openDatabase(join(built.home, "data", "retake.db"));
  const store = new ThreadStore(database, { outbox: true });
  const context = () => new Identity(Date.now).context({ kind: "user" });
  const entries = Array.from({ length: LARGE }, (_, index) => ({
    id: `entry-${index}`,
    content: `This is what entry ${index} says. `.repeat(5),
  }));
  store.change(thread, ({ state }) => replaceEntries(state, context(), { entries }));
  store.change(thread, ({ state }) => editEntry(state, context(), { entry: "entry-1", content: "edited" }));
  database.close();
}

async function until(done: () => Promise<boolean>): Promise<void> {
  while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 10));
}

let server: ServedRetake | undefined;
try {
  const environment = { RETAKE_SCRIPT: streamingScript() };
  server = await ServedRetake.start(built, environment);
  await server.ask("GET", "/v1/threads");
  const idle = { what: "memory when idle", ours: server.memory(), other: 120, unit: "MB", atMost: 1 };
  const rows = [await edits(server), await reads(server), await events(server), idle];
  const large = await newThread(server, 1);
  await server.stop();
  fillThread(large);
  server = await ServedRetake.start(built, environment);
  report("server", [...rows, await openLarge(server, large)]);
} finally {
  await server?.stop();
  built.remove();
}
