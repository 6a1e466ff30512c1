import { existsSync, lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import {
  type BytePath,
  CaptureLog,
  creations,
  Directories,
  decodeChanges,
  decodeListing,
  Garbage,
  LEFTOVERS,
  leftStages,
  lockWorkspace,
  namedHashes,
  ObjectError,
  ObjectStore,
  RestoreJournal,
  showPath,
  stageTag,
  treeName,
} from "@retake/workspace";
import type { StorePart } from "../store/store-part.ts";
import { SyncRows } from "../store/sync-rows.ts";
import type { Problem } from "./problem.ts";

/** Checks that every content that a capture or a restore names exists and is unchanged. */
export function* checkContents({ database, directory }: StorePart): Generator<Problem> {
  const objects = new ObjectStore(database, join(directory, "packs"));
  const sync = new SyncRows(database);
  try {
    for (const hash of new Set(namedHashes(database))) {
      // Other machines have it: only files that turns changed are synced from a large workspace.
      if (!objects.has(hash) && sync.isAbsent(hash)) continue;
      try {
        objects.read(hash, "");
      } catch (error) {
        if (!(error instanceof ObjectError)) throw error;
        const message = `A saved content is ${error.code} (${hash.slice(0, 12)}). Files that need it are left as they are by any undo.`;
        yield { code: "damaged-content", message, repairable: false };
      }
    }
  } finally {
    objects.close();
  }
}

/** Checks the name of every capture against its changes, if the capture it was made from still exists. */
export function* checkNames({ database }: StorePart): Generator<Problem> {
  const log = new CaptureLog(database);
  for (const id of new Garbage(database).captureIds()) {
    const { parent = "", follows, changes, listing } = log.get(id);
    if (parent !== follows || log.link(id).partial) continue;
    const first = follows === "" && listing !== undefined;
    if (treeName(follows, first ? creations(decodeListing(listing)) : decodeChanges(changes)) === id) continue;
    const message = `The files of a point in history (${id.slice(0, 12)}) are not what was captured. They were left as they are.`;
    yield { code: "damaged-capture", message, repairable: false };
  }
}

/**
 * Reports what killed processes left unfinished in the workspaces. The next command there completes it; so does a
 * repair in this one.
 */
export function* checkInterrupted(
  store: StorePart,
  { here, state }: { here: string; state: string },
): Generator<Problem> {
  for (const root of new Garbage(store.database).workspaceRoots()) {
    if (!existsSync(Buffer.from(root, "latin1"))) continue;
    const lock = lockWorkspace(state, root);
    // Another process works there: work that looks interrupted is under way.
    if (!lock) continue;
    try {
      yield* leftIn(store, root, here);
    } finally {
      lock.release();
    }
  }
}

function* leftIn({ database, directory, threads }: StorePart, root: BytePath, here: string): Generator<Problem> {
  const place = showPath(root);
  const repairable = place === here;
  const how = repairable
    ? "Any command that changes files finishes it first."
    : `Run retake doctor --repair in ${place}.`;
  const open = new RestoreJournal(database).unfinished(root);
  for (const { id } of open) {
    const message = `A restore of files in ${place} was interrupted (${id}). ${how}`;
    yield { code: "interrupted-restore", message, repairable };
  }
  for (const thread of threads.working(place)) {
    const message = `A turn in ${place} was interrupted. ${how}`;
    yield { code: "interrupted-turn", message, thread, repairable };
  }
  for (const stage of stagesIn(root, directory)) {
    if (open.some(({ id }) => stage.endsWith(`-${id}`))) continue;
    const message = `${place}/${showPath(stage)} was left by a restore that never began. ${how}`;
    yield { code: "left-stage", message, repairable };
  }
}

function stagesIn(root: BytePath, store: string): BytePath[] {
  const directories = new Directories(root);
  try {
    return leftStages(directories, stageTag(store));
  } finally {
    directories.close();
  }
}

/** Files and directories of Retake that other users can read or change. */
export function openToOthers(directory: string): string[] {
  if (!existsSync(directory)) return [];
  const found: string[] = [];
  const look = (path: string) => {
    const { mode } = lstatSync(path);
    if ((mode & 0o170000) === 0o120000) return;
    if ((mode & 0o077) !== 0) found.push(path);
    // It contains the user's files, with their modes, while they are being deleted; nobody else can enter it.
    if (basename(path) === LEFTOVERS) return;
    if ((mode & 0o170000) === 0o040000) for (const name of readdirSync(path)) look(join(path, name));
  };
  look(directory);
  return found;
}
