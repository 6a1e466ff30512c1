import type { StorePart } from "../store/store-part.ts";

/** The shared part of the store, on a connection of its own. Sync works on no files, so it has no log of the disk. */
export type SyncPart = Pick<StorePart, "directory" | "database" | "threads">;
