/** The capturing thread: runs the capturer, with the second scanning thread and the watcher. */
import { join } from "node:path";
import { workerData } from "node:worker_threads";
import { connect } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { showPath } from "../model/path-bytes.ts";
import { globalExcludesFile } from "../scan/global-excludes.ts";
import { ScanHelper } from "../scan/scan-helper.ts";
import { Watcher } from "../scan/watcher.ts";
import type { WorkerReply, WorkerRequest, WorkerStart } from "./capture-thread.ts";
import { Capturer } from "./capturer.ts";
import { packError } from "./thread-error.ts";

/** In milliseconds. Not at once: a short command has no use for a watcher, and needs the processor itself. */
const UNTIL_WATCHING = 100;
const IDLE = 300;
const MOST_BEFORE_TIDY = 64;

const { port, cancel, settings } = workerData as WorkerStart;
const { root, store } = settings;
const databaseFile = join(store, "retake.db");
let current = 0;
let untidy = 0;
let timer: NodeJS.Timeout | undefined;
let watching: NodeJS.Timeout | undefined;

let opened = open();

// Requests come one at a time: the next is sent after the answer to this one.
port.on("message", async (request: WorkerRequest) => {
  clearTimeout(timer);
  current = request.id;
  if (request.kind === "close") return close(request.id);
  if (request.kind === "capture") untidy += 1;
  let capturer: Capturer | undefined;
  try {
    // A store that was busy, or on a full disk, may open by now.
    opened = opened.catch(open);
    ({ capturer } = await opened);
    send({ kind: "done", id: request.id, result: capturer.perform(request) });
  } catch (error) {
    send({ kind: "failed", id: request.id, error: packError(error) });
  }
  if (!capturer) return;
  watching ??= setTimeout(watch, UNTIL_WATCHING, capturer);
  if (untidy >= MOST_BEFORE_TIDY) tidy(capturer);
  else timer = setTimeout(tidy, IDLE, capturer);
});

/** Until a request is there to report a failure, nobody hears of it. */
function open(): Promise<Opened> {
  const opening = openStore();
  opening.catch(() => undefined);
  return opening;
}

interface Opened {
  readonly database: Database;
  readonly capturer: Capturer;
}

async function openStore(): Promise<Opened> {
  const database = connect(databaseFile);
  const capturer = new Capturer({
    ...settings,
    lookFrom: root,
    database,
    cancel,
    globalExcludes: await globalExcludesFile(showPath(root), join(store, "git-excludes.json")),
    onProgress: (files, bytes) => send({ kind: "progress", id: current, files, bytes }),
    help: {
      scan: () => new ScanHelper({ root, databaseFile, packs: join(store, "packs"), cancel }),
      watch: () => new Watcher(root, join(store, "fences")),
    },
  });
  return { database, capturer };
}

function watch(capturer: Capturer): void {
  watching = undefined;
  capturer.startWatching();
}

function tidy(capturer: Capturer): void {
  untidy = 0;
  // A capture that was requested meanwhile comes first.
  if (capturer.tidy()) timer = setTimeout(tidy, 0, capturer);
}

async function close(id: number): Promise<void> {
  try {
    const { capturer, database } = await opened;
    capturer.close();
    database.close();
    send({ kind: "done", id, result: undefined });
  } catch (error) {
    send({ kind: "failed", id, error: packError(error) });
  }
  clearTimeout(watching);
  port.close();
}

function send(reply: WorkerReply): void {
  port.postMessage(reply);
}
