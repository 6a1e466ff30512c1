import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Database } from "./database.ts";
import { ownFile } from "./own-file.ts";
import { migrate, requireKnownSchema, type Schema, schemaVersion } from "./schema.ts";
import { sqliteFailure } from "./sqlite-failure.ts";
import { StoreError } from "./store-error.ts";

/** Older versions can lose a commit when two connections write to a WAL database. */
const OLDEST_SQLITE = [3, 51, 3] as const;

/**
 * Opens a database. With a schema it is created or migrated; without one it is used as it is, by a thread of a process
 * that has already opened it. All settings belong to the connection, not to the file: without them a reopened WAL
 * database silently commits without flushing.
 */
export function connect(file: string, schema?: Schema): Database {
  const full = alone.get(file);
  if (full) throw full;
  try {
    return open(file, schema);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "disk-full") throw error;
    return openAlone(file, schema, error);
  }
}

/** Databases on full disks that this process has open: a second connection would wait for the first in vain. */
const alone = new Map<string, StoreError>();

/**
 * A full disk has no room for the index that the connections to a WAL database share. A connection that shuts out all
 * others needs none: everything can be read, and what is written fails as it should.
 */
function openAlone(file: string, schema: Schema | undefined, full: StoreError): Database {
  try {
    const database = open(file, schema, () => alone.delete(file));
    alone.set(file, full);
    return database;
  } catch {
    throw full;
  }
}

/** With `onClose`, alone. */
function open(file: string, schema: Schema | undefined, onClose?: () => void): Database {
  let connection: DatabaseSync;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Private from the first moment; the files that SQLite creates beside it get the same mode.
    if (file !== ":memory:") ownFile(file);
    const timeout = onClose ? 0 : 10_000;
    connection = new DatabaseSync(file, { timeout, enableForeignKeyConstraints: true });
  } catch (cause) {
    throw unopenable(file, cause);
  }
  try {
    if (onClose) connection.exec("PRAGMA locking_mode = EXCLUSIVE");
    const version = connection.prepare("SELECT sqlite_version() AS version").get()?.["version"];
    requireSqlite(String(version));
    // Before any setting, which could write to the file.
    if (schema) requireKnownSchema(connection, file, schema);
    // Only before the first table, where it has an effect: it writes to the file each time, and so flushes it.
    if (schemaVersion(connection) === 0) connection.exec("PRAGMA auto_vacuum = INCREMENTAL");
    connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    const database = new Database(connection, file, onClose);
    if (schema) migrate(database, connection, file, schema);
    return database;
  } catch (error) {
    connection.close();
    throw sqliteFailure(error, file);
  }
}

/** `cause` is the error of the file system. */
function unopenable(file: string, cause: unknown): StoreError {
  const { code = "", message = "" } = cause as { code?: string; message?: string };
  const why: Readonly<Record<string, string>> = {
    EACCES: "You may not write there",
    EPERM: "You may not write there",
    EROFS: "It is on a disk that cannot be written",
    ENOSPC: "The disk is full",
    EISDIR: "It is a directory",
    EEXIST: "A file is where its directory should be",
    ENOTDIR: "A file is where its directory should be",
  };
  const reason = why[code] ?? message.replace(/[. ]*$/, "");
  return new StoreError(
    code === "ENOSPC" ? "disk-full" : "unopenable",
    `The store ${file} cannot be opened. ${reason}. Nothing was changed. RETAKE_HOME can name another place.`,
    { cause },
  );
}

export function requireSqlite(version: string): void {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor, oldestPatch] = OLDEST_SQLITE;
  if ((major - oldestMajor || minor - oldestMinor || patch - oldestPatch) >= 0) return;
  throw new StoreError(
    "sqlite-too-old",
    `SQLite ${version} can lose commits; ${OLDEST_SQLITE.join(".")} or newer is needed. Nothing was opened. Use a newer Node.`,
  );
}
