import { join } from "node:path";
import { canonical, type Json, MemoryHistory, type Operation, recordsIn, type State } from "@retake/core";
import { openDatabase, ThreadStore } from "@retake/runtime";
import type { RetakePlace } from "../testing/retake-place.ts";

export interface Log {
  readonly operations: readonly Operation[];
  /** The present state of the thread, and the one that its operations give when they are folded; as texts. */
  readonly present: string;
  readonly folded: string;
}

export function logOf({ home }: RetakePlace, thread: string): Log {
  const database = openDatabase(join(home, "data", "retake.db"));
  try {
    return new ThreadStore(database, { outbox: true }).read(thread, ({ state, operation }) => {
      const operations: Operation[] = [];
      for (let at = state.head; at !== null; at = operations.at(-1)?.parents[0] ?? null)
        operations.push(operation(at) as Operation);
      operations.reverse();
      const history = new MemoryHistory();
      for (const each of operations) history.commit(each);
      return { operations, present: textOf(state), folded: textOf(history.state) };
    });
  } finally {
    database.close();
  }
}

/** The content of a state, as one text. */
export function textOf(state: State): string {
  const spaces = [...state.spaces.entries()].map(([take, space]) => [take, Object.fromEntries(recordsIn(space))]);
  const thread = Object.fromEntries(state.thread.entries());
  return canonical({ head: state.head, version: state.version, thread, spaces } as unknown as Json);
}
