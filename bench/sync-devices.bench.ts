/**
 * Sync as devices see it, with the built package: a new device that catches up with a long thread, beside copying and
 * reading the database file; how long a server that catches up makes others wait; a turn with sync beside one without; and
 * the processor time of an idle server that syncs.
 *
 * RETAKE_OPERATIONS=10000 makes it shorter.
 */
import { once } from "node:events";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { BuiltRetake } from "./built-retake.ts";
import { HealthWatch, now } from "./health-watch.ts";
import { fillWithTurns } from "./long-thread.ts";
import { quantile, type Row, report, sideBySide } from "./measure.ts";
import { ServedRetake } from "./served-retake.ts";

const OPERATIONS = Number(process.env["RETAKE_OPERATIONS"] ?? 100_000);
/** As many operations has a turn of `fillWithTurns`. */
const OPERATIONS_A_TURN = 7;
const TURNS = 201;
/** The turns before those that are measured. Sync loads code when it first sends, once in a process. */
const FIRST_TURNS = 10;
/** So long after the last turn everything is sent. */
const SENT_MS = 8000;
const IDLE_MS = 20_000;
/** The kernel's unit of processor time. */
const TICK_MS = 10;

const server = new BuiltRetake();
const first = new BuiltRetake();
const second = new BuiltRetake();
const third = new BuiltRetake();
const online = new BuiltRetake();
const offline = new BuiltRetake();

async function startServer(): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const child = server.spawn(["sync-server", "--port", "0", "--json"]);
  const ended = once(child, "exit");
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { url: (JSON.parse(line) as { url: string }).url, stop };
}

/** Makes a vault of its own for a device, and answers its recovery words. */
function makeVault(device: BuiltRetake, url: string): string {
  const { invitation } = JSON.parse(server.run("sync-server", "invite", "--json")) as { invitation: string };
  return (JSON.parse(device.run("sync", "login", url, invitation, "--json")) as { words: string }).words;
}

async function catchUp(url: string): Promise<Row[]> {
  const words = makeVault(first, url);
  first.run("run", "--yes", "write a.txt: a");
  const [thread] = (JSON.parse(first.run("threads", "--json")) as { threads: { id: string }[] }).threads;
  fillWithTurns(first.home, { id: thread?.id ?? "", root: first.root }, Math.ceil(OPERATIONS / OPERATIONS_A_TURN));
  const sent = performance.now();
  first.run("sync", "now");
  console.log(`sent ${OPERATIONS.toLocaleString("en")} operations in ${(performance.now() - sent).toFixed(0)} ms`);
  second.run("sync", "recover", url, ...words.split(" "));
  const began = performance.now();
  second.run("sync", "now");
  const ours = performance.now() - began;
  const copy = join(server.folder, "copy.db");
  const other = { work: () => copyAndRead(join(first.home, "data", "retake.db"), copy) };
  const times = await sideBySide(3, other, other);
  const what = `${OPERATIONS} operations by a new device / copy and read the file`;
  third.run("sync", "recover", url, ...words.split(" "));
  return [{ what, ours, other: times.ours, atMost: 3 }, await waitsMeanwhile()];
}

/** Requests to a server that catches up by itself. */
async function waitsMeanwhile(): Promise<Row> {
  const health = new HealthWatch();
  const served = await ServedRetake.start(third);
  try {
    health.follow(served);
    const started = now();
    while (headIn(third) !== headIn(first)) await new Promise((resolve) => setTimeout(resolve, 200));
    const waits = await health.waits([[started, now()]]);
    const what = "GET /v1/health meanwhile: 99th percentile / 50 ms";
    return { what, ours: quantile(waits, 0.99), other: 50, atMost: 1 };
  } finally {
    health.stop();
    await served.stop();
  }
}

function headIn({ home }: BuiltRetake): unknown {
  const database = new DatabaseSync(join(home, "data", "retake.db"), { readOnly: true });
  try {
    return database.prepare("SELECT head FROM threads").get()?.["head"];
  } finally {
    database.close();
  }
}

function copyAndRead(from: string, to: string): void {
  rmSync(to, { force: true });
  copyFileSync(from, to);
  const database = new DatabaseSync(to, { readOnly: true });
  for (const _ of database.prepare("SELECT * FROM operations").iterate());
  for (const _ of database.prepare("SELECT * FROM entries").iterate());
  database.close();
}

/** Turns of a server that syncs beside those of one that does not. */
async function turns(url: string): Promise<Row[]> {
  makeVault(online, url);
  const syncing = await ServedRetake.start(online, { RETAKE_SCRIPT: script() });
  const alone = await ServedRetake.start(offline, { RETAKE_SCRIPT: script() });
  try {
    const rows = await turnsOf(syncing, alone);
    const before = [busy(syncing), busy(alone)] as const;
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const [ours, other] = [busy(syncing) - before[0], busy(alone) - before[1]];
    const what = `processor time of sync in ${IDLE_MS / 1000} idle seconds / 0.5 % of a core`;
    return [...rows, { what, ours: Math.max(0, ours - other), other: IDLE_MS * 0.005, atMost: 1 }];
  } finally {
    await syncing.stop();
    await alone.stop();
  }
}

/**
 * The median of the times says what most turns take. Sync works in one turn of several, which a median does not notice; so the
 * processor time of the thread that runs the turns is compared too, from when nothing waits to be sent until all turns are sent: it
 * does not matter which of them are sent meanwhile. It also does not depend on what else the machine does. Who is first changes
 * with each pair of turns.
 */
async function turnsOf(syncing: ServedRetake, alone: ServedRetake): Promise<Row[]> {
  const ours = { turn: await turnOf(syncing), times: [] as number[] };
  const other = { turn: await turnOf(alone), times: [] as number[] };
  const sides = [ours, other];
  const sent = () => new Promise((resolve) => setTimeout(resolve, SENT_MS));
  for (let index = 0; index < FIRST_TURNS; index += 1) for (const { turn } of sides) await turn();
  await sent();
  const before = [workOf(syncing), workOf(alone)] as const;
  for (let index = 0; index < TURNS; index += 1)
    for (const { turn, times } of index % 2 === 0 ? sides : sides.toReversed()) {
      const started = performance.now();
      await turn();
      times.push(performance.now() - started);
    }
  await sent();
  return [
    {
      what: "a turn with sync / without",
      ours: quantile(ours.times, 0.5),
      other: quantile(other.times, 0.5),
      atMost: 1.02,
    },
    {
      what: "processor time of its thread for each turn, with all sending",
      ours: (workOf(syncing) - before[0]) / TURNS,
      other: (workOf(alone) - before[1]) / TURNS,
      atMost: 1.02,
    },
  ];
}

/** The processor time of the thread that runs turns so far, in milliseconds. */
function workOf({ pid }: ServedRetake): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

async function turnOf(served: ServedRetake): Promise<() => Promise<void>> {
  const { thread } = JSON.parse(await served.ask("POST", "/v1/threads", {})) as { thread: { id: string } };
  const at = `/v1/threads/${thread.id}/turns`;
  return async () => {
    const { turn_id } = JSON.parse(await served.ask("POST", at, { prompt: "Go on.", approve: "all" as const })) as {
      turn_id: string;
    };
    // The stream of a turn ends with it.
    await served.ask("GET", `${at}/${turn_id}/stream`);
  };
}

/** A turn as the embedded model has it: a file is written, and something is said. */
function script(): string {
  const file = join(server.folder, "script.json");
  const write = { name: "write", input: { path: "notes.txt", content: "A line.\n" } };
  const turn = { steps: [{ text: "I write it down.", tool_calls: [write] }, { text: "Done." }] };
  writeFileSync(file, JSON.stringify({ turns: Array.from({ length: 1000 }, () => turn) }));
  return file;
}

/** The processor time of a server so far, in milliseconds. */
function busy({ pid }: ServedRetake): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

try {
  const { url, stop } = await startServer();
  report("sync of devices", [...(await catchUp(url)), ...(await turns(url))]);
  await stop();
} finally {
  for (const each of [server, first, second, third, online, offline]) each.remove();
}
