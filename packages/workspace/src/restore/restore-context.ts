import type { Database } from "../database/database.ts";
import type { BytePath, ObjectReader, ObjectWriter } from "../model/model.ts";
import type { WorkspaceLock } from "./workspace-lock.ts";

/** The context for changing a workspace's files. It includes the lock, so that no caller forgets it. */
export interface RestoreContext {
  readonly root: BytePath;
  readonly database: Database;
  readonly objects: ObjectReader & ObjectWriter;
  readonly lock: WorkspaceLock;
  /** Identifies the store in the names of its stages; see `stageTag`. */
  readonly tag: string;
  /** A directory of the store; see `Leftovers`. */
  readonly leftovers: string;
}
