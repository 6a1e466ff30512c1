/**
 * The costs of a thread's length: every action and every read of a page on a thread of 100,000 entries beside the same
 * on one of 1,000, taking turns, on one server; and how long `GET /v1/health` waits while the long one is worked on. A
 * request that takes longer than the limit did not finish: its server is killed, and the next row begins with a new
 * one.
 *
 * `RETAKE_BENCH_ENTRIES=4000 npm run bench thread` tries it out with a shorter long thread.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { atOnce } from "./at-once.ts";
import { startBareServer } from "./bare-server.ts";
import { BuiltRetake } from "./built-retake.ts";
import { HealthWatch, now } from "./health-watch.ts";
import { ENTRIES_A_TURN, entryOf, fillAtOnce, fillWithTurns, type LongThread, turnOf } from "./long-thread.ts";
import { quantile, type Row, report, type Work } from "./measure.ts";
import { ServedRetake } from "./served-retake.ts";

const SHORT = 1000;
const LONG = Number(process.env["RETAKE_BENCH_ENTRIES"] ?? 100_000);
const ROUNDS = 15;
/** A row ends after this time, but never before so many rounds. */
const ROW_MS = 20_000;
const FEWEST_ROUNDS = 3;
/** The limit for one request. */
const LIMIT_MS = 20_000;
const CLIENTS = 64;
const READS = 512;
const PAGE = 50;
const FILES = 20_000;

const built = new BuiltRetake();
const health = new HealthWatch();
let server = await startServer();
let edits = 0;

/** `grows`: how long it takes depends on the thread, and has no bar. */
type Action = Work & { readonly grows?: true };
type Actions<Thread> = Readonly<Record<string, (thread: Thread) => Action | Promise<Action>>>;

/** The measured actions on a thread of turns, by name. */
const actions: Actions<LongThread> = {
  thread: (thread) => reading(thread, `/v1/threads/${thread.id}`),
  summary: (thread) => reading(thread, `/v1/threads/summary?workspace=${encodeURIComponent(thread.root)}`),
  "a page of entries": (thread) => reading(thread, `/v1/threads/${thread.id}/entries?limit=${PAGE}`),
  "a page of turns": (thread) => reading(thread, `/v1/threads/${thread.id}/turns?limit=${PAGE}`),
  "a page of history": (thread) => reading(thread, `/v1/threads/${thread.id}/history?limit=${PAGE}`),
  "the first window of a view": (thread) => reading(thread, `/v1/threads/${thread.id}/checkpoint?entries=last:300`),
  // The longer thread's middle is further back: only the wait of others is compared with a bar.
  "entries at the thread's middle": (thread) => {
    const path = `/v1/threads/${thread.id}/entries?limit=${PAGE}&at=${turnOf(thread.turns >>> 1)}`;
    return { ...reading(thread, path), grows: true };
  },
  "search for a word of one entry": ({ rare }) => ({ work: () => ask("GET", `/v1/search?words=${rare}`) }),
  "search for a word of every turn": ({ common }) => ({ work: () => ask("GET", `/v1/search?words=${common}`) }),
  "jump by one turn": ({ id, beforeLast }) => ({
    work: () => ask("POST", `/v1/threads/${id}/jump`, { op: beforeLast }),
    settle: () => takeBackStep(id),
  }),
  "undo of a turn": ({ id }) => ({
    work: () => ask("POST", `/v1/threads/${id}/undo`, {}),
    settle: () => ask("POST", `/v1/threads/${id}/redo`, {}),
  }),
  "redo of a turn": ({ id }) => ({
    prepare: () => ask("POST", `/v1/threads/${id}/undo`, {}),
    work: () => ask("POST", `/v1/threads/${id}/redo`, {}),
  }),
  "revert of a turn in the middle": ({ id, turns }) => ({
    work: () => ask("POST", `/v1/threads/${id}/revert`, { turn: turnOf(turns >>> 1) }),
    settle: () => takeBackStep(id),
  }),
  edit: (thread) => ({ work: () => edit(thread) }),
  insert: ({ id, turns }) => ({ work: () => insert(id, turns) }),
  remove: ({ id, turns }) => {
    let entry = "";
    return {
      prepare: async () => {
        entry = await insert(id, turns);
      },
      work: () => ask("DELETE", `/v1/threads/${id}/entries/${entry}`),
    };
  },
  role: async ({ id, turns }) => {
    const entry = await insert(id, turns);
    let changes = 0;
    return {
      work: () => {
        changes += 1;
        return ask("PATCH", `/v1/threads/${id}/entries/${entry}`, { role: changes % 2 === 0 ? "User" : "AI" });
      },
    };
  },
  "branch at the first entry": (thread) => branching(thread, entryOf(0, "prompt")),
  "switch to another take": async ({ id }) => {
    const main = await activeTake(id);
    const other = await branch(id, entryOf(0, "prompt"));
    await switchTo(id, main);
    return { work: () => switchTo(id, other), settle: () => switchTo(id, main) };
  },
  "branch at a middle entry": (thread) => branching(thread, entryOf(thread.turns >>> 1, "answer")),
  "branch at the last entry": (thread) => branching(thread, entryOf(thread.turns - 1, "answer")),
};

/**
 * The measured actions on a thread without turns, whose entries one operation put there: nothing may read that
 * operation again.
 */
const actionsOfPut: Actions<{ readonly id: string }> = {
  "put at once: thread": ({ id }) => ({
    prepare: () => editPut(id),
    work: () => ask("GET", `/v1/threads/${id}`),
  }),
  "put at once: a page of history": ({ id }) => ({
    prepare: () => editPut(id),
    work: () => ask("GET", `/v1/threads/${id}/history?limit=${PAGE}`),
  }),
  "put at once: undo of an edit": ({ id }) => ({
    prepare: () => editPut(id),
    work: () => takeBackStep(id),
  }),
  "put at once: redo of an edit": ({ id }) => ({
    prepare: async () => {
      await editPut(id);
      await takeBackStep(id);
    },
    work: () => ask("POST", `/v1/threads/${id}/redo`, {}),
  }),
};

try {
  const rows: Row[] = [];
  const waits: Row[] = [];
  const measureAll = async <Thread>(all: Actions<Thread>, long: Thread, short: Thread) => {
    for (const [what, of] of Object.entries(all)) {
      const { row, wait } = await measure(what, of, long, short);
      rows.push(row);
      waits.push(wait);
    }
  };
  const short = await makeThread("short", (thread) => fillWithTurns(built.home, thread, SHORT / ENTRIES_A_TURN));
  const long = await makeThread("long", (thread) => fillWithTurns(built.home, thread, LONG / ENTRIES_A_TURN));
  waits.push(await healthAlone());
  await measureAll(actions, long, short);
  const shortPut = await makeThread("short-put", ({ id }) => fillAtOnce(built.home, id, SHORT));
  const longPut = await makeThread("long-put", ({ id }) => fillAtOnce(built.home, id, LONG));
  await measureAll(actionsOfPut, longPut, shortPut);
  const size = (entries: number) => entries.toLocaleString("en");
  report(`thread: ${size(LONG)} entries / ${size(SHORT)}`, rows);
  report(`GET /v1/health while the thread of ${size(LONG)} entries is worked on: 99th percentile / 50 ms`, waits);
  report("SIGTERM, sent 100 ms after a request: until the server has ended / 2 s", await endings(long, longPut.id));
  const reads = [await readsOf(short.id, SHORT), await readsOf(long.id, LONG)];
  report(`${CLIENTS} clients read / a bare node:http server gives the same bytes (4: a quarter of its rate)`, reads);
} finally {
  health.stop();
  await server.stop("SIGKILL");
  built.remove();
}

async function measure<Thread>(
  what: string,
  of: (thread: Thread) => Action | Promise<Action>,
  long: Thread,
  short: Thread,
): Promise<{ row: Row; wait: Row }> {
  const times: { ours: number[]; other: number[] } = { ours: [], other: [] };
  const spans: [number, number][] = [];
  let started = now();
  let unfinished = false;
  let atMost = 2;
  await health.waits([]);
  try {
    const works = { other: await of(short), ours: await of(long) };
    if (works.ours.grows) atMost = Number.POSITIVE_INFINITY;
    const end = now() + ROW_MS;
    for (let round = 0; round < ROUNDS && (round < FEWEST_ROUNDS || now() < end); round += 1) {
      for (const side of ["other", "ours"] as const) {
        await works[side].prepare?.();
        started = now();
        await works[side].work();
        times[side].push(now() - started);
        if (side === "ours") spans.push([started, now()]);
        await works[side].settle?.();
      }
    }
  } catch (error) {
    unfinished = true;
    console.log(`${what}: ${error instanceof Error && error.name === "AbortError" ? "no answer" : error}`);
    spans.push([started, now()]);
    await server.stop("SIGKILL");
    server = await startServer();
  }
  const waited = quantile(await health.waits(spans), 0.99);
  const ours = unfinished ? Number.POSITIVE_INFINITY : quantile(times.ours, 0.5);
  return {
    row: { what, ours, other: quantile(times.other, 0.5), atMost },
    wait: { what, ours: waited, other: 50, atMost: 1 },
  };
}

/** Work that a server may do when it is told to end. */
async function endings(thread: LongThread, put: string): Promise<Row[]> {
  const [path, middle] = [`/v1/threads/${thread.id}`, turnOf(thread.turns >>> 1)];
  for (let index = 0; index < FILES; index += 1) {
    if (index % 100 === 0) mkdirSync(join(thread.root, `d${index / 100}`));
    writeFileSync(join(thread.root, `d${Math.floor(index / 100)}`, `${index}.txt`), `${index}\n`);
  }
  const requests: Readonly<Record<string, readonly [method: string, path: string, body?: object]>> = {
    nothing: ["GET", path],
    "the whole state": ["GET", `/v1/threads/${put}/checkpoint`],
    "entries at the thread's middle": ["GET", `${path}/entries?at=${middle}`],
    search: ["GET", `/v1/search?words=${thread.common}`],
    "branch at a middle entry": ["POST", `${path}/takes`, { entry: entryOf(thread.turns >>> 1, "answer") }],
    "jump to the thread's middle": ["POST", `${path}/jump`, { op: middle }],
    [`capture of ${FILES.toLocaleString("en")} new files`]: ["POST", "/v1/snapshots", { thread_id: thread.id }],
  };
  const rows: Row[] = [];
  for (const [what, request] of Object.entries(requests)) {
    const answered = ask(...request).catch(() => undefined);
    await sleep(100);
    const started = now();
    await server.stop();
    rows.push({ what, ours: now() - started, other: 2000, atMost: 1 });
    await answered;
    server = await startServer();
  }
  return rows;
}

/** On an idle server, to show the machine's share in the other rows. */
async function healthAlone(): Promise<Row> {
  await health.waits([]);
  const started = now();
  await sleep(2000);
  const ours = quantile(await health.waits([[started, now()]]), 0.99);
  return { what: "(nothing)", ours, other: 50, atMost: 1 };
}

/** Reads of a thread by many clients, beside as many answers of the same bytes. */
async function readsOf(id: string, entries: number): Promise<Row> {
  const what = `a thread of ${entries.toLocaleString("en")} entries`;
  const path = `/v1/threads/${id}`;
  const bare = await startBareServer(await ask("GET", path));
  const times: { ours: number[]; other: number[] } = { ours: [], other: [] };
  const timed = async (list: number[], work: () => Promise<unknown>) => {
    const started = now();
    await atOnce(CLIENTS, READS, work);
    list.push(now() - started);
  };
  try {
    for (let round = 0; round < FEWEST_ROUNDS; round += 1) {
      const limit = AbortSignal.timeout(LIMIT_MS);
      await timed(times.ours, () => server.ask("GET", path, undefined, limit));
      await timed(times.other, () => bare.client.ask("GET", path));
    }
    return { what, ours: quantile(times.ours, 0.5), other: quantile(times.other, 0.5), atMost: 4 };
  } catch (error) {
    console.log(`${what}: ${error}`);
    return { what, ours: Number.POSITIVE_INFINITY, other: quantile(times.other, 0.5), atMost: 4 };
  } finally {
    bare.stop();
  }
}

/** In a workspace of its own, so that no thread shares the known files of another. */
async function makeThread<Thread>(
  name: string,
  fill: (thread: { id: string; root: string }) => Thread,
): Promise<Thread & { readonly id: string }> {
  const root = join(built.root, name);
  mkdirSync(root);
  const { thread } = JSON.parse(await ask("POST", "/v1/threads", { workspace_root: root })) as {
    thread: { id: string };
  };
  await server.stop();
  const started = now();
  const made = fill({ id: thread.id, root });
  console.log(`${name}: made in ${((now() - started) / 1000).toFixed(0)} s`);
  server = await startServer();
  return { ...made, id: thread.id };
}

async function startServer(): Promise<ServedRetake> {
  const started = await ServedRetake.start(built);
  health.follow(started);
  return started;
}

function ask(method: string, path: string, body?: object): Promise<string> {
  return server.ask(method, path, body, AbortSignal.timeout(LIMIT_MS));
}

/** Reads right after a change: otherwise the server would give the answer that it gave before. */
function reading(thread: LongThread, path: string): Work {
  return { prepare: () => edit(thread), work: () => ask("GET", path) };
}

/** Edits another entry each time. */
function edit({ id, turns }: LongThread): Promise<string> {
  edits += 1;
  const entry = entryOf((edits * 7919) % turns, "answer");
  return ask("PATCH", `/v1/threads/${id}/entries/${entry}`, { content: `edited ${edits} times` });
}

async function insert(thread: string, turns: number): Promise<string> {
  const before = entryOf(turns >>> 1, "prompt");
  const answer = await ask("POST", `/v1/threads/${thread}/entries`, { role: "User", content: "inserted", before });
  return (JSON.parse(answer) as { entry: { id: string } }).entry.id;
}

function editPut(thread: string): Promise<string> {
  return ask("PATCH", `/v1/threads/${thread}/entries/entry-7`, { content: `edited at ${now()}` });
}

function takeBackStep(thread: string): Promise<string> {
  return ask("POST", `/v1/threads/${thread}/undo`, { steps: 1 });
}

/** The new take is deleted again, so that takes do not add up. */
async function branching({ id }: LongThread, entry: string): Promise<Work> {
  const main = await activeTake(id);
  let made = "";
  return {
    work: async () => {
      made = await branch(id, entry);
    },
    settle: async () => {
      await switchTo(id, main);
      await ask("DELETE", `/v1/threads/${id}/takes/${made}`);
    },
  };
}

async function branch(thread: string, entry: string): Promise<string> {
  const answer = JSON.parse(await ask("POST", `/v1/threads/${thread}/takes`, { entry })) as { take: { id: string } };
  return answer.take.id;
}

function switchTo(thread: string, take: string): Promise<string> {
  return ask("POST", `/v1/threads/${thread}/takes/${take}/switch`, {});
}

async function activeTake(thread: string): Promise<string> {
  const { takes } = JSON.parse(await ask("GET", `/v1/threads/${thread}/takes`)) as {
    takes: { id: string; active: boolean }[];
  };
  return takes.find(({ active }) => active)?.id ?? "";
}
