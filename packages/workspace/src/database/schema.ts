import type { DatabaseSync } from "node:sqlite";
import { backUp } from "./back-up.ts";
import type { Database } from "./database.ts";
import { StoreError } from "./store-error.ts";

/** SQL, or a function for changes that SQL alone cannot make. */
export type Migration = string | ((connection: DatabaseSync) => void);

/**
 * The tables of a database, as the steps that create them. The n-th step leads to `user_version` n. A released step is
 * never edited: a later change is a new step.
 */
export interface Schema {
  readonly steps: readonly Migration[];
  /** Called after the last step, in the same transaction, with the previous version: fills the newest tables. */
  readonly finish?: (database: Database, from: number) => void;
}

/** Migrates the database to the newest schema in one transaction, after a backup. */
export function migrate(database: Database, connection: DatabaseSync, file: string, { steps, finish }: Schema): void {
  const found = schemaVersion(connection);
  if (found === steps.length) return;
  database.transaction(() => {
    // Read again: another process may have migrated while this one waited for the lock.
    const from = schemaVersion(connection);
    if (from === steps.length) return;
    if (from > 0) backUp(file, `schema-${steps.length}`);
    steps.slice(from).forEach((step, index) => {
      if (typeof step === "function") step(connection);
      else connection.exec(step);
      connection.exec(`PRAGMA user_version = ${from + index + 1}`);
    });
    finish?.(database, from);
  });
}

export function requireKnownSchema(connection: DatabaseSync, file: string, { steps }: Schema): void {
  const found = schemaVersion(connection);
  if (found <= steps.length) return;
  throw new StoreError(
    "newer-schema",
    `The store ${file} was written by a newer Retake (schema ${found}; this one knows ${steps.length}). ` +
      "It was left untouched. Use the newer Retake.",
  );
}

export function schemaVersion(connection: DatabaseSync): number {
  return Number(connection.prepare("PRAGMA user_version").get()?.["user_version"]);
}
