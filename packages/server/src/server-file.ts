import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Where the server of a store is: `state/server.json`. */
export interface ServerFile {
  readonly url: string;
  readonly socket: string;
  readonly pid: number;
  readonly started_at: string;
  readonly workspace_root: string;
  readonly version: string;
  /** A hash of the surroundings of its turns; see `surroundings.ts`. */
  readonly surroundings: string;
}

export type Claim =
  | { readonly kind: "found"; readonly at: ServerFile }
  | {
      readonly kind: "claimed";
      /** Says where the server is, once it listens. */
      publish(at: ServerFile): void;
      release(): void;
    };

/**
 * One server for a store. A server holds a lock that ends with its process, so the file of a killed server is not
 * mistaken for a running one.
 */
export async function claimServer(state: string): Promise<Claim> {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  for (let attempt = 0; ; attempt += 1) {
    const lock = takeLock(join(state, "server.lock"));
    if (lock) return claimed(state, lock);
    const at = await findServer(state);
    if (at) return { kind: "found", at };
    // It holds the lock and does not answer yet: it is starting, or ending.
    if (attempt >= ATTEMPTS) throw new Error("Another server of this store does not answer. Nothing was started.");
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
}

const ATTEMPTS = 50;
const WAIT_MS = 100;

/** The server that runs for this store and answers, if there is one. */
export async function findServer(state: string): Promise<ServerFile | undefined> {
  const at = readServerFile(state);
  return at && (await answers(at.socket)) ? at : undefined;
}

function claimed(state: string, lock: DatabaseSync): Claim {
  const file = join(state, "server.json");
  rmSync(file, { force: true });
  return {
    kind: "claimed",
    publish(at) {
      // Renamed into place, so that no one ever reads half of it.
      writeFileSync(`${file}.${process.pid}`, `${JSON.stringify(at, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${file}.${process.pid}`, file);
    },
    release() {
      if (!lock.isOpen) return;
      rmSync(file, { force: true });
      lock.close();
    },
  };
}

/** As for workspaces: SQLite's lock is one that the system lets go when the process ends, however it ends. */
function takeLock(path: string): DatabaseSync | undefined {
  ownLock(path);
  const connection = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is ever committed, so no journal is needed: a full disk would have no room for it.
    connection.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;");
    return connection;
  } catch (error) {
    connection.close();
    if (String(error).includes("locked")) return undefined;
    throw error;
  }
}

/** SQLite would make it readable for others. It is not opened where it is there: closing it would drop our own lock on it. */
function ownLock(path: string): void {
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    chmodSync(path, 0o600);
  }
}

function readServerFile(state: string): ServerFile | undefined {
  try {
    const at = JSON.parse(readFileSync(join(state, "server.json"), "utf8")) as Partial<ServerFile> | null;
    return typeof at?.url === "string" && typeof at.socket === "string" ? (at as ServerFile) : undefined;
  } catch {
    return undefined;
  }
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = request({
      socketPath: socket,
      path: "/v1/health",
      timeout: 1000,
    });
    asking.on("response", (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asking.on("timeout", () => asking.destroy(new Error("no answer")));
    asking.on("error", () => resolve(false));
    asking.end();
  });
}
