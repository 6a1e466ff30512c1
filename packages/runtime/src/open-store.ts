import { join } from "node:path";
import { type Database, openDatabase } from "./store/open-database.ts";
import { ThreadStore } from "./store/thread-store.ts";

/**
 * A store: a directory with a database and the packs of its objects. An operation and the files that go
 * with it are one transaction, so a thread, its captures and the journal of its restores are in one store.
 */
export interface Store {
  readonly directory: string;
  readonly database: Database;
  readonly threads: ThreadStore;
}

/** Opens a store, and makes it where there is none. With `outbox`, what is committed is written down for sync. */
export function openStore(directory: string, options: { readonly outbox: boolean }): Store {
  const database = openDatabase(join(directory, "retake.db"));
  return { directory, database, threads: new ThreadStore(database, options) };
}
