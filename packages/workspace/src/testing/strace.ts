import { spawn, spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One system call of a traced program: the `ordinal`-th of this name in its thread. */
export interface Call {
  readonly name: string;
  readonly ordinal: number;
  readonly text: string;
}

/** Whether programs can be traced here. Installs strace if possible. */
export function straceWorks(): boolean {
  if (process.platform !== "linux") return false;
  if (spawnSync("strace", ["-V"]).error) {
    spawnSync("apt-get", ["update"], { stdio: "ignore", timeout: 120_000 });
    spawnSync("apt-get", ["install", "-y", "strace"], { stdio: "ignore", timeout: 120_000 });
  }
  return spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status === 0;
}

/** The calls by which a program changes something on disk, starting where it looks up `marker`. */
export async function traceChanges(
  command: readonly string[],
  marker: string,
  { withPaths = false, ...where }: { withPaths?: boolean } & Where = {},
): Promise<Call[]> {
  const file = join(tmpdir(), `retake-trace-${process.pid}-${Math.random().toString(36).slice(2)}`);
  try {
    const paths = withPaths ? ["-y"] : [];
    const options = ["-f", "-qq", ...paths, "-o", file, "-s", "32", "-e", `trace=access,${changing.join()}`];
    const { ended, output } = await run(options, command, where);
    // An incomplete trace would look like a program that does less.
    if (ended !== 0) throw new Error(`${command.join(" ")} ended with ${ended} while it was traced: ${output}`);
    return changesIn(readFileSync(file, "utf8"), marker);
  } finally {
    rmSync(file, { force: true });
  }
}

/** strace counts injections per thread, so the same ordinal in two threads is one point. */
export function distinctPoints(calls: readonly Call[]): Call[] {
  return [...new Map(calls.map((call) => [`${call.name} ${call.ordinal}`, call])).values()];
}

/** A part of the list, spread evenly. */
export function spread<T>(all: readonly T[], count: number): T[] {
  if (all.length <= count) return [...all];
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)] as T);
}

/** Where a program runs; by default in this directory. */
export interface Where {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program in which one call kills the process or fails with `error`. */
export async function runInjected(
  command: readonly string[],
  call: Call,
  { error, ...where }: { readonly error?: string } & Where = {},
): Promise<Ended> {
  const what = error ? `error=${error}` : "signal=KILL";
  const inject = `inject=${call.name}:${what}:when=${call.ordinal}`;
  return run(["-f", "-qq", "-o", "/dev/null", "-e", `trace=${call.name}`, "-e", inject], command, where);
}

export interface Ended {
  readonly killed: boolean;
  /** libuv aborts the process when it cannot wake a thread: the injected error hit that call instead. */
  readonly aborted: boolean;
  /** How the program ended: its exit code, or the signal. */
  readonly ended: number | NodeJS.Signals | null;
  readonly output: string;
}

const changing = [
  ...["openat", "write", "pwrite64", "writev", "ftruncate", "fallocate", "fsync", "fdatasync", "rename", "link"],
  ...["unlink", "mkdir", "rmdir", "symlink", "fchmod", "chmod"],
];

function changesIn(trace: string, marker: string): Call[] {
  const counts = new Map<string, number>();
  const calls: Call[] = [];
  let begun = false;
  for (const line of trace.split("\n")) {
    const [, thread, name, rest = ""] = /^(\d+) +(\w+)\((.*)$/.exec(line) ?? [];
    if (!thread || !name) continue;
    if (rest.includes(marker)) begun = true;
    const ordinal = (counts.get(thread + name) ?? 0) + 1;
    counts.set(thread + name, ordinal);
    if (begun && name !== "access" && changesSomething(name, rest)) {
      calls.push({ name, ordinal, text: `${name}(${rest}` });
    }
  }
  return calls;
}

function changesSomething(name: string, rest: string): boolean {
  if (name === "openat") return rest.includes("O_CREAT");
  // libuv wakes its threads by writing the number 1; writes to the terminal reach no disk.
  return name !== "write" || !(rest.startsWith("1,") || rest.includes(String.raw`"\1\0\0\0\0\0\0\0"`));
}

function run(options: readonly string[], command: readonly string[], { cwd, env: given }: Where): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // One thread for flushes, so that their order is always the same.
    const env = { ...(given ?? process.env), UV_THREADPOOL_SIZE: "1" };
    const child = spawn("strace", [...options, ...command], {
      env,
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk;
      });
    }
    child.on("error", reject);
    child.on("close", (status, signal) => {
      const by = (name: NodeJS.Signals, code: number) => signal === name || status === code;
      resolve({ killed: by("SIGKILL", 137), aborted: by("SIGABRT", 134), ended: status ?? signal, output });
    });
  });
}
