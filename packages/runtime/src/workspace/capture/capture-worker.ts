/**
 * The thread that captures: it owns the engine, the second scanning thread and the watcher.
 *
 * Hints count only once two things happened in this order: every directory was watched, then a full
 * scan began. Until then, and again after anything went wrong, captures scan everything.
 */
import { join } from "node:path";
import { workerData } from "node:worker_threads";
import { type CaptureId, CaptureLog } from "../../store/capture-log.ts";
import { openDatabase } from "../../store/open-database.ts";
import { readCapture } from "../capture-tree.ts";
import type { Hash } from "../model.ts";
import { ObjectStore } from "../object-store.ts";
import { globalExcludesFile } from "../scan/outer-rules.ts";
import { ScanHelper } from "../scan/scan-helper.ts";
import { Watcher } from "../scan/watcher.ts";
import { treeId } from "../tree-id.ts";
import { type Captured, CaptureEngine } from "./capture-engine.ts";
import type { WorkerReply, WorkerRequest, WorkerStart } from "./capture-thread.ts";
import { collectGarbage } from "./collect-garbage.ts";
import { diffCaptures } from "./diff-captures.ts";
import { packError } from "./thread-error.ts";

const idle = 300;
const mostBeforeTidy = 64;

const start = workerData as WorkerStart;
const { port, root, store, cancel } = start;
const databaseFile = join(store, "retake.db");
const packs = join(store, "packs");
const database = openDatabase(databaseFile);
const objects = new ObjectStore(database, packs);
const log = new CaptureLog(database);
let helper: ScanHelper | undefined;
let watcher: Watcher | undefined;
let watching: "off" | "watched" | "scanned" = "off";
let current = 0;
let untidy = 0;
let timer: NodeJS.Timeout | undefined;

const engine = new CaptureEngine({
  root,
  database,
  objects,
  helper: () => {
    helper ??= new ScanHelper({ root, databaseFile, packs, cancel });
    return helper;
  },
  limits: start.limits,
  caches: start.caches,
  globalExcludes: globalExcludesFile(Buffer.from(root, "latin1").toString()),
  cancel,
  onProgress: (files, bytes) => send({ kind: "progress", id: current, files, bytes }),
  beforeRead: (directories) => watcher?.watch(directories),
  onRemoved: (directory) => watcher?.unwatch([directory]),
});

port.on("message", (request: WorkerRequest) => {
  clearTimeout(timer);
  current = request.id;
  try {
    send({ kind: "done", id: request.id, result: perform(request) });
  } catch (error) {
    send({ kind: "failed", id: request.id, error: packError(error) });
  }
  if (request.kind === "close") port.close();
  else if (untidy >= mostBeforeTidy) tidy();
  else timer = setTimeout(tidy, idle);
});

function perform(request: WorkerRequest): unknown {
  switch (request.kind) {
    case "ready":
      return undefined;
    case "capture":
      return capture(request.hints);
    case "tree-id":
      return knownTreeId(request.capture);
    case "diff":
      return diffCaptures(database, request.from, request.to);
    case "collect":
      return collectGarbage(database, objects, request.keep, request);
    case "close":
      while (engineTidied() === "more");
      helper?.close();
      watcher?.close();
      objects.close();
      database.close();
      return undefined;
  }
}

function capture(useHints: boolean): Captured {
  untidy += 1;
  // A full scan takes the hints too, and before it begins: what comes after them is for the next capture.
  const hints = watcher?.hints();
  const usable = useHints && watching === "scanned" ? hints : undefined;
  // Until this capture is made: if it fails, the hints are lost with it.
  if (watching === "scanned") watching = "watched";
  const openings = engine.openings;
  const captured = engine.capture(usable);
  if (engine.openings === openings) {
    if (watching === "watched") watching = "scanned";
  } else {
    // A listing from the stat cache has directories that were never seen to appear.
    watcher?.watch([...engine.directories()]);
  }
  return captured;
}

/** Computed when somebody asks for the first time: most captures are never asked. */
function knownTreeId(capture: CaptureId): Hash {
  const known = log.get(capture).tree;
  if (known !== undefined) return known;
  const computed = treeId(readCapture(database, capture));
  log.setTree(capture, computed);
  return computed;
}

function tidy(): void {
  untidy = 0;
  if (engineTidied() === "more") {
    // A capture that was asked for meanwhile comes first.
    timer = setTimeout(tidy, 0);
    return;
  }
  if (!start.watch || watcher) return;
  const directories = [...engine.directories()];
  if (directories.length === 0) return;
  watcher = new Watcher(root, join(store, "fences"));
  watcher.watch(directories);
  watching = "watched";
}

function engineTidied(): "done" | "more" {
  try {
    return engine.tidy() ? "more" : "done";
  } catch {
    // A full disk or a busy database: what could be tidied is still where it was, and is read from there.
    return "done";
  }
}

function send(reply: WorkerReply): void {
  port.postMessage(reply);
}
