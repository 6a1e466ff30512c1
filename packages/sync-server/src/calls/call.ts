import { randomBytes } from "node:crypto";
import type { SyncAnswer, SyncCall, SyncInput, SyncRefusal } from "@retake/core/sync";
import type { PackFiles } from "../storage/pack-files.ts";
import type { SqlDatabase } from "../storage/sql-database.ts";

/** Carries out one call of the protocol. Its input has passed the route's check, and its sender is let in. */
export type Call<C extends SyncCall> = (
  server: SyncStorage,
  input: SyncInput<C>,
  caller: Caller,
) => Promise<SyncAnswer<C> | SyncRefusal>;

export interface SyncStorage {
  readonly database: SqlDatabase;
  readonly packs: PackFiles;
  readonly settings: SyncSettings;
  readonly now: () => number;
  /** Tells those who wait that a vault has changed. A hint: they also look by themselves. */
  readonly tell: (vault: string) => void;
}

export interface SyncSettings {
  readonly quota_bytes: number;
  /** How long a deleted thread can still be brought back from the database. */
  readonly retention_days: number;
  /** A pack that nothing needs is deleted when it is older than this: an upload may be under way. */
  readonly pack_grace_ms: number;
  /** The public key of those who run the server and read threads that are shared with support: X25519, base64. */
  readonly support_key?: string;
}

/** The sender of a request. */
export interface Caller {
  /** The hash of its token; empty where the route needs none. */
  readonly token_hash: string;
  /** Empty where the route needs no device. */
  readonly device: string;
}

/** An id that nobody can guess. */
export function newId(): string {
  return randomBytes(16).toString("hex");
}
