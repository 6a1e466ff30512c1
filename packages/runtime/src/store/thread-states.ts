import { type History, type OperationId, SortedMap, type State, type Typing, typingAfter } from "@retake/core";
import type { Database } from "@retake/workspace";
import type { KnownThread, KnownThreads } from "./known-threads.ts";
import type { LineRows } from "./line-rows.ts";
import type { OperationRows } from "./operation-rows.ts";
import { PastStates } from "./past-states.ts";
import type { SpaceRows } from "./space-rows.ts";
import { StoredTable } from "./stored-table.ts";

/** The current state of a thread, and the content of its rows; none before its first operation. */
export interface Present {
  readonly history: History;
  readonly known: KnownThread | undefined;
}

/** The states of threads. The current state is read from rows on request; `past-states.ts` computes those before it. */
export class ThreadStates {
  readonly #database: Database;
  readonly #spaces: SpaceRows;
  readonly #operations: OperationRows;
  readonly #lines: LineRows;
  readonly #threads: KnownThreads;
  readonly #past: PastStates;
  readonly #empty: State;
  /**
   * The burst of typing after a thread's last operation, so that a possibly large operation is not read again for it.
   */
  readonly #typing = new Map<string, { readonly head: OperationId; readonly typing: Typing | null }>();

  constructor(
    database: Database,
    rows: {
      readonly spaces: SpaceRows;
      readonly operations: OperationRows;
      readonly lines: LineRows;
      readonly threads: KnownThreads;
    },
    empty: State,
  ) {
    this.#database = database;
    this.#spaces = rows.spaces;
    this.#operations = rows.operations;
    this.#lines = rows.lines;
    this.#threads = rows.threads;
    this.#past = new PastStates(database, rows.operations, rows.spaces, empty);
    this.#empty = empty;
  }

  /** The current state of a thread, in the transaction or the snapshot of the caller. */
  present(thread: string): Present {
    const row = this.#database.prepare("SELECT space, head, version FROM threads WHERE id = ?").get(thread);
    const known = row && this.#threads.at(thread, Number(row["space"]), row["head"] as OperationId);
    const state = known ? this.#state(thread, known, Number(row["version"])) : this.#empty;
    const history: History = {
      state,
      operation: (id) => this.#operations.get(id, thread),
      group: (id) => this.#operations.group(thread, id),
      stateAt: (id) => (known ? this.#past.at(known, state, id) : state),
      lineOf: (head, take, until) => this.#lines.of(thread, head, take, until),
      lastOf: (head, take) => this.#lines.last(thread, head, take),
    };
    return { history, known };
  }

  /** Goes a part of the way to a past state. Returns whether reading it is quick now. */
  approach(thread: string, wanted: OperationId, most: number): boolean {
    const { history, known } = this.present(thread);
    return known === undefined || this.#past.approach(known, history.state, wanted, most);
  }

  #state(thread: string, known: KnownThread, version: number): State {
    const { head } = known;
    const takes = [...known.takes].map(
      ([take, space]) => [take, this.#spaces.space(this.#threads.open(known, space))] as const,
    );
    return {
      device: this.#empty.device,
      head,
      version,
      thread: new StoredTable(this.#threads.open(known, known.space).records),
      spaces: SortedMap.fromSorted(takes),
      typing: this.#typingAt(thread, head),
    };
  }

  #typingAt(thread: string, head: OperationId): Typing | null {
    const known = this.#typing.get(thread);
    if (known?.head === head) return known.typing;
    const last = this.#operations.get(head);
    const typing = last ? typingAfter(last) : null;
    this.#typing.set(thread, { head, typing });
    return typing;
  }

  /** Call it after an operation was written. */
  follow(thread: string, { head, typing }: State): void {
    if (head !== null) this.#typing.set(thread, { head, typing });
  }
}
