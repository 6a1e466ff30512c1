import { join } from "node:path";
import type { Database } from "@retake/workspace";
import { DiskLog } from "./disk-log.ts";
import { openDatabase } from "./open-database.ts";
import { ThreadStore, type ThreadStoreOptions } from "./thread-store.ts";

/**
 * One part of the store: a directory with a database and the packs of its objects. An operation and its files are one
 * transaction, so a thread, its captures and the journal of its restores are in one part.
 */
export interface StorePart {
  readonly directory: string;
  readonly database: Database;
  readonly threads: ThreadStore;
  readonly disk: DiskLog;
}

/**
 * Opens a part of the store, and creates it if it does not exist. With `outbox`, each commit is queued for sync.
 * `others` are the databases of the other parts.
 */
export function openStorePart(
  directory: string,
  { others, ...options }: Omit<ThreadStoreOptions, "disk"> & { readonly others?: () => readonly Database[] },
): StorePart {
  const database = openDatabase(join(directory, "retake.db"));
  const disk = new DiskLog(database, others);
  return { directory, database, disk, threads: new ThreadStore(database, { ...options, disk }) };
}
