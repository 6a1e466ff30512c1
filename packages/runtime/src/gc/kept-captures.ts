import { MemoryHistory, type Operation, recordAs, recordsOf, type State, takes, tree } from "@retake/core";
import type { CaptureId } from "@retake/workspace";
import { namedTrees } from "../store/named-trees.ts";
import type { ThreadStore } from "../store/thread-store.ts";

/** How much history keeps its files. Without both fields, all of it. */
export interface KeepPolicy {
  /** Operations of the last so many days. */
  readonly days?: number;
  /** The last so many turns of each thread and of each of its takes, however old. */
  readonly turns?: number;
}

/** When only days are given, at least this many turns are kept. */
const FEWEST_TURNS = 20;

/**
 * The captures that threads need: the files before and after every operation that keeps them, so that it can be undone
 * and jumped to. The log is replayed for this, because a branch or an undo may lead to files that only a much older
 * operation names. The current files of every take are always included.
 */
export function keptCaptures(threads: ThreadStore, policy: KeepPolicy, now: number): CaptureId[] {
  const captures = new Set<string>();
  for (const thread of threads.everyId()) {
    const operations = threads.line(thread);
    const own = new Set(operations.map(({ id }) => id));
    const first = firstKept(operations, policy, now);
    const turns = lastTurns(threads, thread, policy.turns ?? FEWEST_TURNS);
    const history = new MemoryHistory();
    // A merge refers to the line that it brought in; its files are needed as long as takes made from it.
    for (const operation of threads.operations(thread)) {
      history.add(operation);
      if (!own.has(operation.id)) for (const name of namedTrees(operation)) captures.add(name);
    }
    for (const [index, operation] of operations.entries()) {
      const before = history.state;
      const after = history.commit(operation);
      if (index < first && !turns.has(operation.turn_id ?? "")) continue;
      addTrees(captures, before);
      addTrees(captures, after);
    }
    addTrees(captures, history.state);
  }
  captures.delete("");
  return [...captures];
}

/** The version from which history keeps its files: the beginning of a group, because groups are taken back whole. */
function firstKept(operations: readonly Operation[], policy: KeepPolicy, now: number): number {
  if (policy.days === undefined && policy.turns === undefined) return 0;
  const since = policy.days === undefined ? Number.POSITIVE_INFINITY : now - policy.days * 86_400_000;
  const wanted = policy.turns ?? FEWEST_TURNS;
  const turns = new Set<string>();
  const places = new Map(operations.map(({ id }, index) => [id, index]));
  let first = operations.length;
  for (const [index, operation] of [...operations.entries()].reverse()) {
    if (operation.turn_id !== undefined) turns.add(operation.turn_id);
    if (turns.size > wanted && operation.created_at < since) break;
    if (turns.size <= wanted || operation.created_at >= since)
      first = Math.min(first, index, places.get(operation.group) ?? index);
  }
  return first;
}

/** The turns that an undo would take back first in each take; they may be older than turns of other takes. */
function lastTurns(threads: ThreadStore, thread: string, count: number): Set<string> {
  const all = threads.read(thread, ({ state }) =>
    takes(state).flatMap(({ id }) => {
      const turns = [...recordsOf(state, id, "turn")].map(([, turn]) => recordAs("turn", turn));
      return turns.sort((a, b) => (a.started_at < b.started_at ? 1 : -1)).slice(0, count);
    }),
  );
  return new Set(all.map(({ id }) => id));
}

function addTrees(kept: Set<string>, state: State): void {
  for (const { id } of takes(state)) kept.add(tree(state, id));
}
