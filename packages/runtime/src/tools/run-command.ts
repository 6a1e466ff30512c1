import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { CommandEnd } from "./command-end.ts";
import { confinedCommand } from "./confine/confined-command.ts";
import { withoutGone } from "./confine/confined-place.ts";
import { endProcesses } from "./end-processes.ts";
import type { OutputKeeper } from "./output-keeper.ts";
import type { ToolRun } from "./tool.ts";
import { type GuardedCommand, guardCommand } from "./watchdog.ts";

/**
 * Runs a command line in a shell, in a session of its own and without input. Ends all processes of the command before
 * it returns, also after a timeout or an abort. Without a timeout it may run until it is aborted. `marksEnd`: it makes the
 * file `endMark` as soon as nothing of the command runs any more.
 */
export async function runCommand(
  command: string,
  options: CommandOptions,
  keeper: OutputKeeper,
  run: ToolRun,
): Promise<CommandEnd> {
  const end = await runOnce(command, options, keeper, run);
  const { confined } = run;
  const place = end.error && confined && !run.signal.aborted ? withoutGone(confined.place) : undefined;
  // A socket that is to be hidden may go while the confinement is made. Nothing was run then, so it is made once more.
  return confined && place ? runCommand(command, options, keeper, { ...run, confined: { ...confined, place } }) : end;
}

interface CommandOptions {
  readonly timeout?: number;
  readonly marksEnd?: boolean;
}

async function runOnce(
  command: string,
  { timeout, marksEnd = false }: CommandOptions,
  keeper: OutputKeeper,
  run: ToolRun,
): Promise<CommandEnd> {
  const { confined } = run;
  const guarded = guardCommand(endMark(run.overflow));
  const child = await start(command, run, guarded.environment).catch((error: Error) => error);
  if (child instanceof Error) {
    guarded.ended();
    const end = { code: null, signal: null, unkept: undefined, background: 0, network: "" };
    return { ...end, reason: "done", error: child };
  }
  const { pid } = child;
  guarded.started(pid);
  const reading = keepOutput(child.stdout, keeper);
  const reporting = confined ? readReport(child as unknown as ChildProcess) : undefined;
  const ended = whenEnded(child);
  const stop = new AbortController();
  const reason = await Promise.race([
    ended.then(() => "done" as const),
    ...(timeout === undefined ? [] : [wait(timeout, "timeout" as const, { signal: stop.signal })]),
    whenAborted(run.signal, stop.signal),
  ]).finally(() => stop.abort());

  const processes = await endProcesses(pid, GRACE_MS, confined?.by.levels);
  const end = await ended;
  // Before the watchdog forgets the command: so there is a mark whenever a kill comes.
  if (marksEnd) await makeMark(endMark(run.overflow));
  guarded.ended();
  const report = reason === "done" ? await reporting : undefined;
  await Promise.race([reading, whenQuiet(keeper)]);
  child.stdout.destroy();
  const unkept = await reading;
  const background = reason === "done" ? (report?.background ?? processes) : 0;
  const failure = report?.failure;
  const error = failure === undefined ? {} : { error: new Error(`it could not be confined: ${failure}`) };
  return { ...end, reason, unkept, background, network: report?.network ?? "", ...error };
}

/**
 * The file that is made when a command has ended: one that Retake's kill ended, or one in the background. Later changes are
 * not the command's. `overflow`: that of its run.
 */
export function endMark(overflow: string): string {
  return `${overflow}${MARK}`;
}

export function isEndMark(name: string): boolean {
  return name.endsWith(MARK);
}

const MARK = ".ended";

async function makeMark(path: string): Promise<void> {
  // A clock may tick only every few milliseconds: no change of the command is to have the time of the mark.
  await wait(20);
  // Without the mark later changes count as the command's: an error here is no reason to fail.
  await writeFile(path, "", { mode: 0o600 }).catch(() => {});
}

/** Less than a server has to end (`endInTime` in cli): a command that ignores SIGTERM must not outlive it. */
const GRACE_MS = 1000;
const QUIET_ROUNDS = 5;
/** One that escaped may talk for ever. */
const MOST_ROUNDS = 15;
const QUIET_ROUND_MS = 100;

type Child = ChildProcessByStdio<null, Readable, null>;

/** Fails where the system cannot start it: Node throws some of these errors and reports others by an event. */
async function start(
  command: string,
  run: ToolRun,
  guarded: GuardedCommand["environment"],
): Promise<Child & { readonly pid: number }> {
  const child = spawnShell(command, run, guarded);
  if (child.pid === undefined) throw await new Promise<Error>((resolve) => child.once("error", resolve));
  return child as Child & { readonly pid: number };
}

function spawnShell(
  command: string,
  { root, environment, confined }: ToolRun,
  guarded: GuardedCommand["environment"],
): Child {
  const shell = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
  const options = { cwd: root, detached: true };
  // One pipe for both, so that errors stand where they happened in the output.
  if (!confined) {
    const args = ["-c", 'exec "$0" -c "$1" 2>&1', shell, command];
    const env = { ...environment, ...guarded };
    return spawn("/bin/sh", args, { ...options, env, stdio: ["ignore", "pipe", "ignore"] });
  }
  const { file, args, env } = confinedCommand(["/bin/sh", "-c", CONFINED, shell, command], environment, confined);
  const child = spawn(file, args, {
    ...options,
    env: { ...env, ...guarded },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  return child as unknown as Child;
}

/** The shell around a confined command. It stays to report the remaining processes, which the kernel ends with it. */
const CONFINED = [
  "echo begun >&3",
  '"$0" -c "$1" 2>&1 3>&-',
  "code=$?",
  "set -- /proc/[0-9]*",
  'echo "processes $#" >&3',
  "[ $code = 0 ] || cat /proc/net/snmp /proc/net/snmp6 2>/dev/null >&3",
  "exit $code",
].join("\n");

/** The report of the shell around a confined command. */
interface Report {
  /** Why the command was not begun. */
  readonly failure?: string;
  /** Processes of the command that still run. */
  readonly background?: number;
  /** The counters of its network, of a command that failed. */
  readonly network?: string;
}

async function readReport({ stdio }: ChildProcess): Promise<Report> {
  const [errors, report] = await Promise.all([readText(stdio[2] as Readable), readText(stdio[3] as Readable)]);
  if (!report.startsWith("begun")) return { failure: errors.trim().split("\n").at(-1) ?? "" };
  const processes = /^processes (\d+)$/m.exec(report)?.[1];
  // The namespace's first process and the shell itself are not the command's.
  return processes === undefined ? {} : { background: Math.max(0, Number(processes) - 2), network: report };
}

async function readText(pipe: Readable): Promise<string> {
  let text = "";
  try {
    for await (const chunk of pipe) if (text.length < LONGEST_REPORT) text += String(chunk);
  } catch {
    // Destroyed: the report ends here.
  }
  return text;
}

const LONGEST_REPORT = 100_000;

type Ended = Pick<CommandEnd, "code" | "signal">;

function whenEnded(child: Child): Promise<Ended> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
}

function whenAborted(signal: AbortSignal, stop: AbortSignal): Promise<"aborted"> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve("aborted");
    signal.addEventListener("abort", () => resolve("aborted"), { once: true, signal: stop });
  });
}

/**
 * Only a process that escaped can hold the pipe open after the others were ended, and what they said
 * is in it. One wait would not do: after a pause of our own a timer fires before the pipe is read.
 */
async function whenQuiet(keeper: OutputKeeper): Promise<void> {
  for (let round = 0, quiet = 0; quiet < QUIET_ROUNDS && round < MOST_ROUNDS; round += 1) {
    const bytes = keeper.bytes;
    await wait(QUIET_ROUND_MS, undefined, { ref: false });
    quiet = keeper.bytes === bytes ? quiet + 1 : 0;
  }
}

/** Answers the error if the output could not be kept; the command goes on and is read to its end. */
async function keepOutput(output: Readable, keeper: OutputKeeper): Promise<Error | undefined> {
  let failure: Error | undefined;
  try {
    for await (const chunk of output) {
      if (failure === undefined) {
        await keeper.add(chunk).catch((error: Error) => {
          failure = error;
        });
      }
    }
  } catch {
    // Destroyed by us while somebody still held its other end.
  }
  return failure;
}
