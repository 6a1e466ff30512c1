import type { Database } from "@retake/workspace";
import type { StorePart } from "../store/store-part.ts";
import { ThreadStore } from "../store/thread-store.ts";

/** The shared part of the store, on a connection of its own. Sync works on no files, so it has no log of the disk. */
export type SyncPart = Pick<StorePart, "directory" | "database" | "threads">;

/** `device`: the id of this machine in the states of threads. */
export function syncPart(directory: string, database: Database, device: string): SyncPart {
  database.keepInMemory(CACHE_KIB);
  return { directory, database, threads: new ThreadStore(database, { outbox: true, device }) };
}

/** A pull changes up to 8 MB in one transaction. */
const CACHE_KIB = 16 * 1024;
