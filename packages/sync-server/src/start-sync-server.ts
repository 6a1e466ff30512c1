import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import type { SyncSettings, SyncStorage } from "./calls/call.ts";
import { createInvitation } from "./calls/join.ts";
import { collect } from "./collect.ts";
import { type AppOptions, createApp, type LogLine } from "./create-app.ts";
import { bucketOf, PackBucket } from "./storage/pack-bucket.ts";
import { PackDirectory, type PackFiles } from "./storage/pack-files.ts";
import { PostgresDatabase } from "./storage/postgres-database.ts";
import type { SqlDatabase } from "./storage/sql-database.ts";
import { SqliteDatabase } from "./storage/sqlite-database.ts";
import { WaitingDevices } from "./waiting-devices.ts";

export interface SyncServerOptions {
  /** A file of SQLite, `:memory:`, or the address of a PostgreSQL database. */
  readonly db: string;
  /** The directory of the packs, or the address of a bucket (`bucketOf`). */
  readonly blobs: string;
  /** The keys of a bucket are in it. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** 0: any that is free. */
  readonly port: number;
  readonly host?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly settings?: Partial<SyncSettings>;
  readonly limits?: AppOptions["limits"];
  readonly pages?: AppOptions["pages"];
  readonly now: () => number;
  readonly log: (line: LogLine) => void;
}

export interface RunningSyncServer {
  readonly url: string;
  /** An invitation for a new vault, or for one that exists; undefined when it does not. */
  invite(vault?: string): Promise<string | undefined>;
  collect(): ReturnType<typeof collect>;
  /** Lets requests under way end, then closes everything. */
  close(): Promise<void>;
}

const SETTINGS: SyncSettings = {
  quota_bytes: 10 * 1024 ** 3,
  retention_days: 30,
  pack_grace_ms: 24 * 3_600_000,
};
const COLLECT_MS = 3_600_000;

export async function startSyncServer(options: SyncServerOptions): Promise<RunningSyncServer> {
  const { host = "127.0.0.1", tls } = options;
  const packs = openPacks(options);
  const database = await openDatabase(options.db);
  const waiting = new WaitingDevices(database);
  const storage: SyncStorage = {
    database,
    packs,
    settings: { ...SETTINGS, ...options.settings },
    now: options.now,
    tell: (vault) => waiting.tell(vault),
  };
  const { log, limits, pages } = options;
  const app = createApp({ storage, waiting, log, ...(limits && { limits }), ...(pages !== undefined && { pages }) });
  const server = createAdaptorServer({
    fetch: app.fetch,
    ...(tls && { createServer: createHttps, serverOptions: tls }),
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, host, resolve);
  }).catch(async (error) => {
    await database.close();
    throw error;
  });
  const housekeeping = setInterval(() => void collectQuietly(storage, log), COLLECT_MS);
  housekeeping.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`,
    invite: (vault) => createInvitation(storage, vault),
    collect: () => collect(storage),
    close: async () => {
      clearInterval(housekeeping);
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      waiting.close();
      // Connections become idle one by one, as their last answers are sent.
      const closing = setInterval(() => "closeIdleConnections" in server && server.closeIdleConnections(), 20);
      await ended;
      clearInterval(closing);
      await database.close();
    },
  };
}

/** Makes an invitation without serving, for the command line. */
export async function inviteTo(
  { db, now }: Pick<SyncServerOptions, "db" | "now">,
  vault?: string,
): Promise<string | undefined> {
  const database = await openDatabase(db);
  try {
    const packs = new PackDirectory(join("."));
    return await createInvitation({ database, packs, settings: SETTINGS, now, tell: () => undefined }, vault);
  } finally {
    await database.close();
  }
}

/** Sets how many bytes a vault may have. False when there is no such vault. */
export async function setQuota({ db }: Pick<SyncServerOptions, "db">, vault: string, bytes: number): Promise<boolean> {
  const database = await openDatabase(db);
  try {
    const set = "UPDATE vaults SET quota_bytes = ? WHERE vault = ?";
    return (await database.everywhere((sql) => sql.run(set, [bytes, vault]))) > 0;
  } finally {
    await database.close();
  }
}

/** The threads that users have shared with support, each with the key that support can open. */
export async function supportShares({ db }: Pick<SyncServerOptions, "db">): Promise<SupportShare[]> {
  const database = await openDatabase(db);
  try {
    return await database.read<SupportShare>(
      "SELECT vault, thread, share, sealed_key, shared_at FROM shares WHERE readers = ? ORDER BY shared_at, share",
      ["support"],
    );
  } finally {
    await database.close();
  }
}

export interface SupportShare {
  readonly vault: string;
  readonly thread: string;
  readonly share: string;
  readonly sealed_key: string;
  readonly shared_at: number;
}

function openPacks({ blobs, environment = {} }: Pick<SyncServerOptions, "blobs" | "environment">): PackFiles {
  return blobs.startsWith("s3:") ? new PackBucket(bucketOf(blobs, environment)) : new PackDirectory(blobs);
}

async function openDatabase(db: string): Promise<SqlDatabase> {
  return /^postgres(ql)?:\/\//.test(db) ? PostgresDatabase.open(db) : new SqliteDatabase(db);
}

async function collectQuietly(storage: SyncStorage, log: (line: LogLine) => void): Promise<void> {
  const begun = performance.now();
  const error = await collect(storage).then(
    () => undefined,
    (cause: unknown) => String(cause),
  );
  const time = new Date(storage.now()).toISOString();
  const ms = Math.round(performance.now() - begun);
  log({ time, call: "collect", code: error === undefined ? "ok" : "server-failure", ms, ...(error && { error }) });
}
