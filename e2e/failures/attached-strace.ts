/**
 * strace on a process that runs already: a server is started once, and each request of it meets a failure of its own,
 * in one of its threads. Counting begins with the attachment.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Call, straceWorks } from "../../packages/workspace/src/testing/strace.ts";

/** A call of one thread of the process, named by the purpose of the thread and its ordinal. */
export interface Point extends Call {
  readonly thread: string;
}

/** Whether a program that runs can be traced here, and not only one that strace has started. */
export async function attachingWorks(): Promise<boolean> {
  if (!straceWorks()) return false;
  const sleeping = spawn("sleep", ["60"]);
  const detach = await attach(sleeping.pid as number, ["-f"]).catch(() => undefined);
  await detach?.();
  sleeping.kill();
  return detach !== undefined;
}

/** The calls on files that a process makes while `work` runs. */
export async function traceWhile(pid: number, work: () => Promise<void>): Promise<Point[]> {
  const file = traceFile();
  try {
    const detach = await attach(pid, ["-f", "-y", "-o", file, "-s", "32", "-e", `trace=${Object.keys(ERRORS).join()}`]);
    try {
      await work();
    } finally {
      await detach();
    }
    return callsIn(readFileSync(file, "utf8"), threadsOf(pid));
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * Runs `work` while one call of the process fails. The other calls of a process differ from run to run, so the failure
 * may meet another call than the intended one (`met`), or none.
 */
export async function failWhile<T>(
  pid: number,
  { thread, name, ordinal }: Point,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly met?: string }> {
  const file = traceFile();
  const [id = pid] = [...threadsOf(pid)].find(([, each]) => each === thread) ?? [];
  const inject = `inject=${name}:error=${ERRORS[name]}:when=${ordinal}`;
  const options = ["-y", "-o", file, "-s", "32", "-e", `trace=${name}`, "-e", inject];
  try {
    const detach = await attach(id, options);
    const result = await work().finally(detach);
    const met = readFileSync(file, "utf8")
      .split("\n")
      .find((line) => line.includes("(INJECTED)"));
    return { result, ...(met === undefined ? {} : { met }) };
  } finally {
    rmSync(file, { force: true });
  }
}

/** The calls that can fail, and how they do. */
const ERRORS: Readonly<Record<string, string>> = {
  openat: "EACCES",
  read: "EIO",
  pread64: "EIO",
  write: "ENOSPC",
  writev: "ENOSPC",
  pwrite64: "ENOSPC",
  ftruncate: "EIO",
  fallocate: "ENOSPC",
  fsync: "EIO",
  fdatasync: "EIO",
  rename: "EACCES",
  link: "EACCES",
  unlink: "EACCES",
  mkdir: "ENOSPC",
  rmdir: "EACCES",
  symlink: "EACCES",
  chmod: "EACCES",
  fchmod: "EACCES",
  getdents64: "EIO",
};

/** Resolves when the thread, or with `-f` every thread of the process, is traced. Returns a function that detaches. */
async function attach(pid: number, options: readonly string[]): Promise<() => Promise<void>> {
  const strace = spawn("strace", [...options, "-p", String(pid)], { stdio: ["ignore", "ignore", "pipe"] });
  const closed = once(strace, "close");
  await new Promise<void>((resolve, reject) => {
    let said = "";
    strace.stderr.on("data", (chunk) => {
      said += chunk;
      if (said.includes(" attached")) resolve();
    });
    strace.on("error", reject);
    strace.on("close", () => reject(new Error(`strace ended: ${said}`)));
  });
  return async () => {
    strace.kill("SIGINT");
    await closed;
  };
}

function traceFile(): string {
  return join(tmpdir(), `retake-trace-${process.pid}-${Math.random().toString(36).slice(2)}`);
}

/** The threads of a process by their ids. Their order alone says little: some are started when they are first needed. */
function threadsOf(pid: number): Map<number, string> {
  const counts = new Map<string, number>();
  const ids = readdirSync(`/proc/${pid}/task`).map(Number);
  const named = ids
    .sort((a, b) => a - b)
    .map((id): [number, string] => {
      const name = readFileSync(`/proc/${pid}/task/${id}/comm`, "utf8").trim();
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [id, `${name} ${count}`];
    });
  return new Map(named);
}

function callsIn(trace: string, threads: ReadonlyMap<number, string>): Point[] {
  const counts = new Map<string, number>();
  return trace.split("\n").flatMap((line): Point[] => {
    const [, id, name, rest = ""] = /^(\d+) +(\w+)\((.*)$/.exec(line) ?? [];
    if (!id || !name) return [];
    const ordinal = (counts.get(id + name) ?? 0) + 1;
    counts.set(id + name, ordinal);
    const thread = threads.get(Number(id));
    // Leaves out sockets, pipes, events and devices (but /dev/shm may hold files), and the entries of other processes
    // in /proc. A thread that is gone has no name.
    const elsewhere = /^\d+<(?!\/(?!dev\/(?!shm\/)))/.test(rest) || /[<"]\/proc\/\d/.test(rest);
    return elsewhere || thread === undefined ? [] : [{ thread, name, ordinal, text: `${name}(${rest}` }];
  });
}
