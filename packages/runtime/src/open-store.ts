import { join } from "node:path";
import type { Database } from "@retake/workspace";
import { DiskLog } from "./store/disk-log.ts";
import { openDatabase } from "./store/open-database.ts";
import { ThreadStore, type ThreadStoreOptions } from "./store/thread-store.ts";

/**
 * A store: a directory with a database and the packs of its objects. An operation and the files that go
 * with it are one transaction, so a thread, its captures and the journal of its restores are in one store.
 */
export interface Store {
  readonly directory: string;
  readonly database: Database;
  readonly threads: ThreadStore;
  readonly disk: DiskLog;
}

/**
 * Opens a store, and makes it where there is none. With `outbox`, what is committed is written down for sync. `others` are
 * the databases of the other stores of this machine.
 */
export function openStore(
  directory: string,
  { others, ...options }: Omit<ThreadStoreOptions, "disk"> & { readonly others?: () => readonly Database[] },
): Store {
  const database = openDatabase(join(directory, "retake.db"));
  const disk = new DiskLog(database, others);
  return { directory, database, disk, threads: new ThreadStore(database, { ...options, disk }) };
}
