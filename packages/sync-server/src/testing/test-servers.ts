import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogLine } from "../create-app.ts";
import { type RunningSyncServer, type SyncServerOptions, startSyncServer } from "../start-sync-server.ts";
import { startPostgres, type TestPostgres } from "./start-postgres.ts";
import { TestDevice } from "./test-device.ts";

/** Sync servers of a test file, on databases of both kinds, with one folder for packs and a clock of their own. */
export class TestServers {
  readonly folder = mkdtempSync(join(tmpdir(), "retake-sync-server-"));
  readonly blobs = join(this.folder, "blobs");
  now = 1_700_000_000_000;
  log: LogLine[] = [];
  readonly #running: RunningSyncServer[] = [];
  #postgres: TestPostgres | undefined;

  /** How to create a database of each kind. */
  readonly databases: readonly (readonly [string, () => Promise<string>])[] = [
    ["SQLite", async () => join(this.folder, `${randomUUID()}.db`)],
    ["PostgreSQL", async () => (this.#postgres as TestPostgres).createDatabase()],
  ];

  async open(): Promise<void> {
    this.#postgres = await startPostgres();
  }

  async start(db: string, more: Partial<SyncServerOptions> = {}): Promise<RunningSyncServer> {
    const options = {
      db,
      blobs: this.blobs,
      port: 0,
      now: () => this.now,
      log: (line: LogLine) => this.log.push(line),
    };
    const server = await startSyncServer({ ...options, ...more });
    this.#running.push(server);
    return server;
  }

  /** The errors that the operator of PostgreSQL reads in its log. */
  databaseErrors(): string[] {
    return this.#postgres?.log().match(/^.*ERROR:.*$/gm) ?? [];
  }

  async stopAll(): Promise<void> {
    for (const server of this.#running.splice(0)) await server.close();
    this.log = [];
  }

  async close(): Promise<void> {
    await this.#postgres?.stop();
    rmSync(this.folder, { recursive: true });
  }
}

export async function deviceOf(server: RunningSyncServer, vault?: string): Promise<TestDevice> {
  return new TestDevice(server.url).join((await server.invite(vault)) ?? "");
}
