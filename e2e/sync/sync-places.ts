import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { openDatabase } from "@retake/runtime";
import { expect } from "vitest";
import { MAIN } from "../../testing/main.ts";
import { RetakePlace } from "../testing/retake-place.ts";
import { FaultProxy } from "./fault-proxy.ts";

/** Machines with their own homes, the real sync server in a process of its own, and a proxy between them. */
export class SyncPlaces {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-sync-")));
  readonly places: RetakePlace[] = [];
  readonly proxy: FaultProxy;
  url = "";
  /** More options of the server, for its next start. */
  options: readonly string[] = [];
  #child: ChildProcess | undefined;
  #port = 0;
  #vaults = 0;

  readonly #db: string;

  /** `chance`: from 0 up to 1, for the proxy. `db`: the address of a database; otherwise a file of SQLite. */
  constructor(chance: () => number = Math.random, db = "") {
    this.#db = db;
    this.proxy = new FaultProxy(() => this.#port, chance);
  }

  async start(): Promise<void> {
    await this.startServer();
    this.url = await this.proxy.start();
  }

  /** The next machines make a vault of their own, on the same server. */
  async newVault(): Promise<void> {
    this.places.length = 0;
    this.#vaults += 1;
    if (!this.#isRunning) await this.startServer();
  }

  async startServer(): Promise<void> {
    const args = [MAIN, "sync-server", ...this.#database(), "--port", String(this.#port), "--json", ...this.options];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"], env: this.#environment() });
    this.#child = child;
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    this.#port = Number(new URL((JSON.parse(line) as { url: string }).url).port);
  }

  async stopServer(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (!child || !this.#isRunning) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
    this.proxy.cutAll();
  }

  get #isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** A machine that joins the vault: the first one makes it, the others are linked by it. Answers the recovery words. */
  async join(name = `machine-${this.places.length + 1}`): Promise<RetakePlace & { words?: string }> {
    const place: RetakePlace & { words?: string } = new RetakePlace(
      join(this.folder, `vault-${this.#vaults}`, name),
      `${name}-work`,
    );
    const [first] = this.places;
    this.places.push(place);
    if (!first) {
      const joined = await place.call(["sync", "login", this.url, await this.invitation(), "--name", name]);
      expect(joined.status).toBe(0);
      place.words = String(joined.answer["words"]);
      return place;
    }
    const login = spawn(process.execPath, [MAIN, "sync", "login", this.url, "--name", name, "--json"], {
      cwd: place.root,
      env: place.environment,
    });
    const [line] = (await once(createInterface({ input: login.stdout }), "line")) as [string];
    const { code, words } = JSON.parse(line) as { code: string; words: string };
    const ended = once(login, "exit");
    expect(await first.call(["sync", "link", code, ...words.split(" ")])).toMatchObject({
      status: 0,
      answer: { name },
    });
    expect(await ended).toEqual([0, null]);
    return place;
  }

  async invitation(): Promise<string> {
    return String((await this.callServer("invite")).answer["invitation"]);
  }

  /** Runs a word of `retake sync-server` beside the server. */
  callServer(...words: readonly string[]): ReturnType<RetakePlace["call"]> {
    return this.#server.call(["sync-server", ...words, ...this.#database()]);
  }

  get #server(): RetakePlace {
    return new RetakePlace(join(this.folder, "server"));
  }

  /** Copies the server's data, or puts a copy back. The server does not run meanwhile. */
  copyServer(from: "data" | "backup", to: "data" | "backup"): void {
    rmSync(join(this.folder, `server-${to}`), { recursive: true, force: true });
    cpSync(join(this.folder, `server-${from}`), join(this.folder, `server-${to}`), { recursive: true });
  }

  /** Everything that the server has on disk. */
  serverBytes(): Buffer {
    const directory = join(this.folder, "server-data");
    const files = readdirSync(directory, { recursive: true }).map((name) => join(directory, String(name)));
    return Buffer.concat(files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file)));
  }

  /** How many rows each table of the server has, without those that have none. */
  serverRows(): Record<string, number> {
    const database = new DatabaseSync(join(this.folder, "server-data", "sync.db"), { readOnly: true });
    try {
      const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
      const counts = tables.map(({ name }) => {
        const row = database.prepare(`SELECT count(*) AS count FROM ${String(name)}`).get();
        return [String(name), Number(row?.["count"])] as const;
      });
      return Object.fromEntries(counts.filter(([, count]) => count > 0));
    } finally {
      database.close();
    }
  }

  /** The folders of packs: one for each vault. */
  packs(): string[] {
    const directory = join(this.folder, "server-data", "blobs");
    return existsSync(directory) ? readdirSync(directory) : [];
  }

  #database(): string[] {
    const directory = join(this.folder, "server-data");
    return ["--db", this.#db || join(directory, "sync.db"), "--blobs", join(directory, "blobs")];
  }

  #environment(): NodeJS.ProcessEnv {
    return { ...process.env, RETAKE_HOME: join(this.folder, "server", "home") };
  }

  async close(): Promise<void> {
    await this.stopServer();
    await this.proxy.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The ways in which a text may lie in bytes without being encrypted. Compression leaves so short a text as it is. */
export function formsOf(text: string): (string | Buffer)[] {
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.from("\0".repeat(shift) + text)
      .toString("base64")
      .slice(4, -4),
  );
  return [
    text,
    ...base64,
    Buffer.from(text).toString("hex"),
    Buffer.from(text, "utf16le"),
    Buffer.from(text, "hex"),
  ].filter(({ length }) => length > 8);
}

/** Syncs until no machine has anything to send or to receive. */
export async function syncAll(places: readonly RetakePlace[]): Promise<void> {
  for (let round = 0, last = ""; round < 50; round += 1) {
    for (const place of places) {
      const { status, stdout, stderr } = await place.call(["sync", "now"]);
      expect(`${status} ${stdout} ${stderr}`).toMatch(/^0 /);
    }
    const now = JSON.stringify(places.map((place) => logs(place)));
    if (now === last) return;
    last = now;
  }
  throw new Error("the machines do not come to rest");
}

/** Every operation of every thread of a machine that is not private, and every head. */
export function logs({ home }: RetakePlace): { readonly operations: string[]; readonly heads: string[] } {
  const database = openDatabase(join(home, "data", "retake.db"));
  try {
    const operations = database.prepare(
      "SELECT thread || ' ' || id || ' ' || hex(hash) AS text FROM operations ORDER BY id",
    );
    const heads = database.prepare("SELECT id || ' ' || head AS text FROM threads ORDER BY id");
    const texts = (rows: readonly Record<string, unknown>[]) => rows.map((row) => String(row["text"]));
    return { operations: texts(operations.all()), heads: texts(heads.all()) };
  } finally {
    database.close();
  }
}

/** All machines have the same operations and heads, and nothing is damaged anywhere. */
export async function expectEqual(places: readonly RetakePlace[]): Promise<void> {
  const [first, ...others] = places.map((place) => logs(place));
  for (const other of others) expect(other).toEqual(first);
  for (const place of places)
    expect((await place.call(["doctor"])).answer).toMatchObject({ healthy: true, problems: [] });
}
