import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { endProcesses } from "./end-processes.ts";
import type { OutputKeeper } from "./output-keeper.ts";
import type { ToolRun } from "./tool.ts";

/**
 * Runs a command line in a shell, in a session of its own and without input. Whatever ends it (it
 * is done, the time is up, an abort), all it started is ended before this answers.
 */
export async function runCommand(command: string, timeout: number, keeper: OutputKeeper, run: ToolRun) {
  const child = start(command, run);
  const reading = keepOutput(child.stdout, keeper);
  const ended = whenEnded(child);
  const stop = new AbortController();
  const reason = await Promise.race([
    ended.then(() => "done" as const),
    wait(timeout, "timeout" as const, { signal: stop.signal }),
    whenAborted(run.signal, stop.signal),
  ]).finally(() => stop.abort());

  const { pid } = child;
  const processes = pid === undefined ? 0 : await endProcesses(pid, grace);
  const end = await ended;
  await Promise.race([reading, whenQuiet(keeper)]);
  child.stdout.destroy();
  const unkept = await reading;
  return { ...end, reason, unkept, background: reason === "done" ? processes : 0 };
}

const grace = 2000;
const quietRounds = 5;
/** One that escaped may talk for ever. */
const mostRounds = 15;
const quietRound = 100;

function start(command: string, { root, environment }: ToolRun): ChildProcessByStdio<null, Readable, null> {
  const shell = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
  // One pipe for both, so that errors stand where they happened in the output.
  return spawn("/bin/sh", ["-c", 'exec "$0" -c "$1" 2>&1', shell, command], {
    cwd: root,
    env: { ...environment },
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** It could not be started. */
  readonly error?: Error;
}

function whenEnded(child: ChildProcessByStdio<null, Readable, null>): Promise<Ended> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: null, signal: null, error }));
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
  for (let round = 0, quiet = 0; quiet < quietRounds && round < mostRounds; round += 1) {
    const bytes = keeper.bytes;
    await wait(quietRound, undefined, { ref: false });
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
