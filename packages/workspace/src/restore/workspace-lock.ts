import { createHash } from "node:crypto";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ownFile } from "../database/own-file.ts";
import { sqliteFailure } from "../database/sqlite-failure.ts";
import type { BytePath } from "../model/model.ts";
import { diskPath } from "../model/path-bytes.ts";
import { errorCode } from "./restore-error.ts";

/**
 * Ensures that only one process at a time restores files in a workspace. Node has no file locks, but SQLite does: the
 * lock is an exclusive transaction on an empty database of its own. The operating system releases it when the process
 * ends in any way. It is never committed, so nothing is written.
 */
export function lockWorkspace(stateDirectory: string, root: BytePath): WorkspaceLock | undefined {
  const folder = join(stateDirectory, "locks");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const real = realpathSync.native(diskPath(root, ""), { encoding: "buffer" });
  const name = createHash("sha256").update(real).digest("hex").slice(0, 16);
  const file = join(folder, `${name}.lock`);
  ownFile(file);
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(file, { timeout: 0 });
    // Nothing is ever committed, so no journal is needed: a full disk would have no room for it.
    connection.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;");
  } catch (error) {
    connection?.close();
    if (errorCode(error) === "ERR_SQLITE_ERROR" && String(error).includes("locked")) return undefined;
    throw sqliteFailure(error, file);
  }
  return new WorkspaceLock(connection);
}

/** The right to change the workspace's files; functions that do so require it as an argument. */
export class WorkspaceLock {
  readonly #connection: DatabaseSync;
  readonly #background = new Set<Promise<unknown>>();

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  get held(): boolean {
    return this.#connection.isOpen;
  }

  /** Keeps the lock until `work` has ended, successfully or not: the next holder completes unfinished work. */
  keepFor(work: Promise<unknown>): void {
    const ended: Promise<unknown> = work.catch(() => undefined).then(() => this.#background.delete(ended));
    this.#background.add(ended);
  }

  /** Resolves when no work keeps the lock. */
  async settled(): Promise<void> {
    while (this.#background.size > 0) await Promise.all(this.#background);
  }

  /** Releases the lock once no work keeps it; resolves when it is free. */
  async release(): Promise<void> {
    if (this.#background.size > 0) await this.settled();
    if (this.held) this.#connection.close();
  }
}
