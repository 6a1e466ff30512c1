import { canonical, equal, type JsonObject, MemoryHistory, recordsIn, type State, takes, tree } from "@retake/core";
import { CaptureLog, StoreError } from "@retake/workspace";
import { damagedThreads, describeDamaged } from "../store/damaged-threads.ts";
import type { StorePart } from "../store/store-part.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import type { Problem } from "./problem.ts";

/** Checks every thread: its operations are unchanged, its records follow from them, its files exist. */
export function* checkThreads({ database, threads }: StorePart): Generator<Problem> {
  // A bundle may have brought it back.
  for (const damaged of damagedThreads(database).filter(({ id }) => !threads.has(id)))
    yield { code: "damaged-thread", message: describeDamaged(damaged), thread: damaged.id, repairable: false };
  const captures = new CaptureLog(database);
  for (const thread of threads.everyId()) {
    const damaged = threads.verify(thread);
    for (const { operation, problem } of damaged) {
      const message = `Operation ${operation}: ${problem}. It was left as it is; a backup or another machine may have it.`;
      yield { code: "damaged-operation", message, thread, repairable: false };
    }
    if (damaged.length > 0) continue;
    const replayed = replay(threads, thread);
    if ("broken" in replayed) {
      const message = `The operations do not fit together: ${replayed.broken}. They were left as they are.`;
      yield { code: "damaged-operation", message, thread, repairable: false };
      continue;
    }
    if (
      !isShown(
        threads.has(thread) ? () => threads.read(thread, ({ state }) => asPlain(state)) : undefined,
        replayed.state,
      ) ||
      !threads.lineIsWhole(thread)
    ) {
      const message =
        "The stored state of the thread differs from the result of its operations. Repairing makes it anew from them.";
      yield { code: "wrong-records", message, thread, repairable: true };
    }
    // Only current trees: gc may have deleted older ones, and an undo then says so.
    const missing = [...replayed.present].filter((name) => name !== "" && !captures.has(name));
    for (const name of missing) {
      const message = `The files that the thread stands at (${name}) are not in the store. What was said is whole.`;
      yield { code: "missing-capture", message, thread, repairable: false };
    }
  }
}

function replay(threads: ThreadStore, thread: string) {
  try {
    const history = new MemoryHistory();
    // A merge refers to the line that it brought in.
    for (const operation of threads.operations(thread)) history.add(operation);
    for (const operation of threads.line(thread)) history.commit(operation);
    const { state } = history;
    return { state, present: new Set(takes(state).map(({ id }) => tree(state, id))) };
  } catch (error) {
    if (error instanceof StoreError || error instanceof Error) return { broken: error.message };
    throw error;
  }
}

function isShown(read: (() => unknown) | undefined, expected: State): boolean {
  try {
    return read !== undefined && equalPlain(read(), asPlain(expected));
  } catch {
    // The rows cannot even be read.
    return false;
  }
}

/** A whole state as plain data, in an order that does not depend on its storage. */
function asPlain(state: State) {
  const sorted = (records: Iterable<readonly [string, JsonObject]>) =>
    [...records].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, value]) => [id, canonical(value)]);
  return {
    head: state.head,
    version: state.version,
    thread: sorted(state.thread.entries()),
    spaces: [...state.spaces.entries()].map(([take, space]) => [take, space.order.size, sorted(recordsIn(space))]),
  };
}

function equalPlain(a: unknown, b: unknown): boolean {
  return equal(a as JsonObject, b as JsonObject);
}
