import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { errorCode } from "@retake/workspace";
import { isAlive } from "../store/is-alive.ts";

/**
 * Ends everything a command started: asked first, made to after a grace. Answers how many processes
 * there were.
 *
 * The command leads a session of its own. On Linux its processes are those of that session, whatever
 * group they made for themselves, and their descendants; elsewhere they are those of its group. A
 * process that left the session and whose parent is gone by now is not found.
 *
 * `levels`: so many outermost processes are the confinement's own. They end when what is in them has ended, and with
 * the first of them all others end at once: they are not asked. While only they run, the command is about to begin, or
 * has just ended.
 */
export async function endProcesses(leader: number, grace: number, levels = 0): Promise<number> {
  const found = new Map<number, string>();
  for (const { signal, time } of [
    { signal: "SIGTERM", time: grace },
    { signal: "SIGKILL", time: UNKILLABLE },
  ] as const) {
    const deadline = performance.now() + time;
    for (let round = 1; round === 1 || performance.now() < deadline; round += 1) {
      const { running, asked } = processesOf(leader, found, levels);
      if (running.length === 0) return found.size;
      const alive = signal === "SIGTERM" ? asked : running;
      // Asked once, but killed as often as it takes: one that forks may do so between look and kill.
      for (const pid of alive) if (signal === "SIGKILL" || !found.has(pid)) send(pid, signal);
      for (const pid of alive) found.set(pid, found.get(pid) ?? startOf(pid));
      await wait(Math.min(round * SHORTEST_POLL, LONGEST_POLL));
    }
  }
  return found.size;
}

const SHORTEST_POLL = 10;
const LONGEST_POLL = 100;
/** A process that waits for a broken disk cannot be killed, and is not waited for. */
const UNKILLABLE = 2000;

interface Processes {
  readonly running: readonly number[];
  /** Without those of the confinement. */
  readonly asked: readonly number[];
}

/** `known`: those found before, by when they started, since a number may be another process's by now. */
function processesOf(leader: number, known: ReadonlyMap<number, string>, levels: number): Processes {
  const all = process.platform === "linux" ? listProcesses() : undefined;
  if (all === undefined) {
    const group = isAlive(-leader) ? [-leader] : [];
    return { running: group, asked: group };
  }
  const ours = new Set<number>();
  for (const { pid, session, start } of all) if (session === leader || known.get(pid) === start) ours.add(pid);
  for (let before = -1; before !== ours.size; ) {
    before = ours.size;
    for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid);
  }
  const own = new Set(outermost(all, leader, levels));
  return { running: [...ours], asked: [...ours].filter((pid) => !own.has(pid)) };
}

/** The leader and those it started, that many levels of them. */
function outermost(all: readonly ProcessFacts[], leader: number, levels: number): number[] {
  if (levels === 0) return [];
  const children = all.filter(({ parent }) => parent === leader);
  return [leader, ...children.flatMap(({ pid }) => outermost(all, pid, levels - 1))];
}

interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  readonly start: string;
}

function listProcesses(): ProcessFacts[] | undefined {
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.flatMap((pid) => factsOf(Number(pid)) ?? []);
  } catch {
    return undefined;
  }
}

/** Undefined for one that is gone, or has ended and waits to be collected. */
function factsOf(pid: number): ProcessFacts | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold anything; what follows it is numbers.
    const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    return { pid, parent: Number(fields[1]), session: Number(fields[3]), start: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

/** When it started, on Linux: tells a process from a later one of the same number. Empty for one that has ended. */
export function startOf(pid: number): string {
  return factsOf(pid)?.start ?? "";
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Gone already, or taken another user's rights: then there is nothing we may do.
    if (errorCode(error) !== "ESRCH" && errorCode(error) !== "EPERM") throw error;
  }
}
