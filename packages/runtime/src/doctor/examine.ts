/**
 * `retake doctor`: examines everything that is stored, in both stores, and reports problems. It changes nothing. A
 * repair changes only what loses nothing: data that can be rebuilt from the operations, work that a crash left
 * unfinished, and permissions of files. It backs up the database first.
 */
import { chmodSync, existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { backUp, brokenReferences, fileProblems, StoreError, searchIndexIsWhole } from "@retake/workspace";
import type { Directories } from "../store/directories.ts";
import { namedContents } from "../store/named-contents.ts";
import { SearchIndex } from "../store/search-index.ts";
import { openStorePart, type StorePart } from "../store/store-part.ts";
import { readSavedPoints } from "../store/thread-catalogue.ts";
import { openStoreAndWorkspace } from "../workspace/open-workspace.ts";
import { checkAttached } from "./check-contents.ts";
import { checkContents, checkInterrupted, checkNames, openToOthers } from "./check-files.ts";
import { checkThreads } from "./check-threads.ts";
import type { Problem } from "./problem.ts";

export interface ExamineOptions {
  readonly directories: Directories;
  /** The workspace in which interrupted work is completed. */
  readonly root: string;
  readonly version: string;
}

export interface Examined {
  readonly healthy: boolean;
  readonly problems: readonly Problem[];
}

export interface Repaired extends Examined {
  readonly repaired: readonly Problem[];
  /** Backups of the databases, made before the repair. */
  readonly backups: readonly string[];
}

export function examine({ directories, root }: ExamineOptions): Examined {
  const problems: Problem[] = [];
  const named = new Set<string>();
  for (const directory of storeDirectories(directories))
    problems.push(...examineStore(directory, { here: root, state: directories.state, named }));
  problems.push(...checkAttached(directories.data, named));
  for (const path of [directories.data, directories.config, directories.state].flatMap(openToOthers)) {
    const message = `${path} can be read or changed by other users.`;
    problems.push({ code: "open-to-others", message, repairable: true });
  }
  return { healthy: problems.length === 0, problems };
}

export async function repair(options: ExamineOptions): Promise<Repaired> {
  const before = examine(options);
  const wanted = before.problems.filter(({ repairable }) => repairable);
  if (wanted.length === 0) return { ...before, repaired: [], backups: [] };
  const { directories } = options;
  for (const path of [directories.data, directories.config, directories.state].flatMap(openToOthers))
    chmodSync(path, lstatSync(path).mode & 0o700);
  const backups = storeDirectories(directories).flatMap((directory) =>
    repairStore(directory, { here: options.root, state: directories.state }),
  );
  if (wanted.some(({ code }) => INTERRUPTED.has(code))) await finishInterrupted(options);
  const after = examine(options);
  const left = new Set(after.problems.map(({ message }) => message));
  return { ...after, repaired: wanted.filter(({ message }) => !left.has(message)), backups };
}

const INTERRUPTED = new Set(["interrupted-restore", "interrupted-turn", "left-stage"]);

function storeDirectories({ data }: Directories): string[] {
  return [data, join(data, "private")].filter((directory) => existsSync(join(directory, "retake.db")));
}

/** `named` gets the hashes of contents that threads of this store name. */
function examineStore(
  directory: string,
  place: { readonly here: string; readonly state: string; readonly named?: Set<string> },
): Problem[] {
  let store: StorePart;
  try {
    // Whether operations are synced does not matter for reading.
    store = openStorePart(directory, { outbox: false });
  } catch (error) {
    return [{ code: "unopenable", message: (error as Error).message, repairable: false }];
  }
  try {
    const { database } = store;
    const file = join(directory, "retake.db");
    const damaged = fileProblems(database);
    // If SQLite cannot read the file correctly, the checks below mean nothing.
    if (damaged.length > 0) {
      const message = `${file} is damaged: ${damaged.join("; ")}. It was left as it is. Copies from before migrations and repairs lie beside it.`;
      return [{ code: "damaged-file", message, repairable: false }];
    }
    const problems: Problem[] = brokenReferences(database).map((what) => {
      return { code: "broken-reference", message: `In ${file}, ${what}.`, repairable: false };
    });
    problems.push(
      ...checkThreads(store),
      ...checkNames(store),
      ...checkContents(store),
      ...checkInterrupted(store, place),
    );
    problems.push(...sessionProblems(store));
    for (const hash of place.named ? namedContents(database) : []) place.named?.add(hash);
    if (!searchIndexIsWhole(database)) {
      const message = `The search index of ${file} is not whole. Repairing makes it anew.`;
      problems.push({ code: "search-index", message, repairable: true });
    }
    return problems;
  } catch (error) {
    // SQLite found damage in the file that its own check does not cover.
    if (!(error instanceof StoreError)) throw error;
    return [{ code: "damaged-file", message: error.message, repairable: false }];
  } finally {
    store.database.close();
  }
}

function sessionProblems({ database }: StorePart): Problem[] {
  return readSavedPoints(database)
    .filter(({ id, record }) => record?.["id"] !== id || typeof record["operation"] !== "string")
    .map(({ id, thread }) => ({
      code: "damaged-session",
      message: `The session ${id} cannot be read. It was left as it is.`,
      thread,
      repairable: false,
    }));
}

function repairStore(directory: string, place: { here: string; state: string }): string[] {
  const problems = examineStore(directory, place);
  const threads = problems.flatMap(({ code, thread }) => (code === "wrong-records" && thread ? [thread] : []));
  const index = problems.some(({ code }) => code === "search-index");
  if (threads.length === 0 && !index) return [];
  const store = openStorePart(directory, { outbox: false });
  try {
    // In one transaction, so that a kill leaves everything as it was.
    return store.database.transaction(() => {
      const backup = backUp(join(directory, "retake.db"), "repair");
      const search = new SearchIndex(store.database);
      if (index) search.clear();
      for (const thread of threads) store.threads.rebuild(thread);
      while (search.catchUp()) {}
      return [backup];
    });
  } finally {
    store.database.close();
  }
}

/** Every command does this before it changes files. */
async function finishInterrupted(options: ExamineOptions): Promise<void> {
  const workspace = openStoreAndWorkspace(options);
  try {
    await workspace.finishInterrupted();
  } finally {
    await workspace.close();
  }
}
