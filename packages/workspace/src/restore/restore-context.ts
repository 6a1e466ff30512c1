import type { Database } from "../database/database.ts";
import type { BytePath, ObjectReader, ObjectWriter } from "../model/model.ts";
import type { WorkspaceLock } from "./workspace-lock.ts";

/** What it takes to change a workspace's files. The lock is part of it, so that nobody forgets it. */
export interface RestoreContext {
  readonly root: BytePath;
  readonly database: Database;
  readonly objects: ObjectReader & ObjectWriter;
  readonly lock: WorkspaceLock;
  /** Names the store in the stages it makes; see `stageTag`. */
  readonly tag: string;
  /** A directory of the store; see `Leftovers`. */
  readonly leftovers: string;
}
