import { isAlive } from "../store/is-alive.ts";
import { startOf } from "../tools/end-processes.ts";

/** Tells a process from all others, also from a later one of the same number. */
export interface ProcessMark {
  readonly pid: number;
  /** When it started. */
  readonly start: string;
}

export function markOfThisProcess(): ProcessMark {
  const { pid } = process;
  return { pid, start: startOf(pid) };
}

export function isThere({ pid, start }: ProcessMark): boolean {
  return startOf(pid) === start && isAlive(pid);
}
