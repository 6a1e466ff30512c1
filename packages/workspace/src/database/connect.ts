import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Database } from "./database.ts";
import { ownFile } from "./own-file.ts";
import { migrate, requireKnownSchema, type Schema, schemaVersion } from "./schema.ts";
import { sqliteFailure } from "./sqlite-failure.ts";
import { StoreError } from "./store-error.ts";

/** Older ones can lose a commit when two connections write to a WAL database. */
const oldestSqlite = [3, 51, 3] as const;

/**
 * Opens a database. With a schema it is created or migrated; without one it is taken as it is, by a thread of a process
 * that opened it before. Every setting here is a property of the connection, not of the file: a WAL database that is
 * reopened without them silently commits without flushing.
 */
export function connect(file: string, schema?: Schema): Database {
  let connection: DatabaseSync;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Nobody else's from the first moment on; the files that SQLite puts beside it take its mode.
    if (file !== ":memory:") ownFile(file);
    connection = new DatabaseSync(file, { timeout: 10_000, enableForeignKeyConstraints: true });
  } catch (cause) {
    throw unopenable(file, cause);
  }
  try {
    const version = connection.prepare("SELECT sqlite_version() AS version").get()?.["version"];
    requireSqlite(String(version));
    // Before any setting, which could write to the file.
    if (schema) requireKnownSchema(connection, file, schema);
    // Only where it has an effect, before the first table: it writes to the file each time, and so flushes it.
    if (schemaVersion(connection) === 0) connection.exec("PRAGMA auto_vacuum = INCREMENTAL");
    connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    const database = new Database(connection, file);
    if (schema) migrate(database, connection, file, schema);
    return database;
  } catch (error) {
    connection.close();
    throw sqliteFailure(error, file);
  }
}

/** `cause` is what the file system says. */
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
  const [oldestMajor, oldestMinor, oldestPatch] = oldestSqlite;
  if ((major - oldestMajor || minor - oldestMinor || patch - oldestPatch) >= 0) return;
  throw new StoreError(
    "sqlite-too-old",
    `SQLite ${version} can lose commits; ${oldestSqlite.join(".")} or newer is needed. Nothing was opened. Use a newer Node.`,
  );
}
