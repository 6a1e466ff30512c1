/**
 * Watches directories in a separate thread, so that events are taken from the kernel's queue while other threads work.
 *
 * One watch per directory: a recursive one would watch every file. All watches of a thread share one queue. A fence is
 * a write to a file that is also watched: once its event has arrived, all events from before the write have arrived
 * too. Node does not report an overflow of the kernel's queue; too many events since the last fence count as an
 * overflow.
 */
import { type FSWatcher, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { threadId, workerData } from "node:worker_threads";
import type { BytePath } from "../model/model.ts";
import { diskPath } from "../model/path-bytes.ts";
import { joinPath } from "./listing.ts";
import type { WatchReply, WatchRequest, WatchStart } from "./watcher.ts";

const { port, root, fences } = workerData as WatchStart;
type DirectoryWatcher = FSWatcher & { readonly directory: BytePath };
const watchers = new Map<BytePath, DirectoryWatcher>();
const MOST_EVENTS = maxQueuedEvents() / 4;
let hints = new Map<BytePath, Set<string>>();
let events = 0;
/** Watched directories that may have been replaced since the last fence. */
const replaced = new Set<BytePath>();
/** Whether some directory is not watched although it should be. */
let incomplete = false;

mkdirSync(fences, { recursive: true, mode: 0o700 });
const FENCE_NAME = `${process.pid}-${threadId}`;
const fenceFile = join(fences, FENCE_NAME);
let waiting: Int32Array | undefined;
const fence = watch(fences, (_event, name) => {
  if (name === FENCE_NAME && waiting) answerFence(waiting);
});

port.on("message", (request: WatchRequest) => {
  switch (request.kind) {
    case "watch":
      for (const directory of request.directories) add(directory);
      wake(request.shared);
      return;
    case "unwatch":
      for (const directory of request.directories) drop(directory);
      return;
    case "fence":
      waiting = request.shared;
      try {
        writeFileSync(fenceFile, "", { mode: 0o600 });
      } catch {
        incomplete = true;
        answerFence(request.shared);
      }
      return;
    case "close":
      for (const directory of [...watchers.keys()]) drop(directory);
      fence.close();
      rmSync(fenceFile, { force: true });
      port.close();
  }
});

function add(directory: BytePath): void {
  const before = watchers.get(directory);
  watchers.delete(directory);
  try {
    const watcher = Object.assign(watch(diskPath(root, directory), { encoding: "latin1" }), { directory });
    // The same functions for all: a closure for each watcher would take more memory than its other data.
    watcher.on("change", note).on("error", end);
    watchers.set(directory, watcher);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Already gone, or not readable: the scan that requested it finds out by itself.
    if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "EACCES") incomplete = true;
  }
  // Last, so that no event is missed when it is still the same directory.
  before?.close();
}

function note(this: unknown, _event: string, name: unknown): void {
  const { directory } = this as DirectoryWatcher;
  events += 1;
  const below = joinPath(directory, String(name ?? ""));
  if (watchers.has(below)) replaced.add(below);
  const names = hints.get(directory);
  if (names) names.add(String(name ?? ""));
  else hints.set(directory, new Set([String(name ?? "")]));
}

/** Deleting a directory ends its watch; its parent's watch reports the deletion. */
function end(this: unknown): void {
  drop((this as DirectoryWatcher).directory);
}

function drop(directory: BytePath): void {
  watchers.get(directory)?.close();
  watchers.delete(directory);
}

function answerFence(shared: Int32Array): void {
  waiting = undefined;
  // A new directory may have the name and the inode of a deleted one: no scan can tell them apart, and the watch ended
  // with the old one. Watch it before the answer, because the scan reads it afterwards.
  for (const directory of replaced) add(directory);
  replaced.clear();
  const reply: WatchReply = incomplete || events >= MOST_EVENTS ? { kind: "incomplete" } : { kind: "hints", hints };
  hints = new Map();
  events = 0;
  port.postMessage(reply);
  wake(shared);
}

function wake(shared: Int32Array): void {
  Atomics.store(shared, 0, 1);
  Atomics.notify(shared, 0);
}

function maxQueuedEvents(): number {
  try {
    return Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8"));
  } catch {
    return 16_384;
  }
}
