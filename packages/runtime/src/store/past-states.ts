import {
  MemoryHistory,
  type Operation,
  type OperationId,
  type Space,
  type State,
  type TakeId,
  typingAfter,
  unapply,
} from "@retake/core";
import type { Database } from "@retake/workspace";
import type { KnownThread } from "./known-threads.ts";
import type { OperationRows } from "./operation-rows.ts";
import type { SpaceRows } from "./space-rows.ts";

/**
 * Past states of threads. The past is not stored a second time: going back from the current state reverses one operation
 * after the other. So the cost grows with the distance, and two things keep it bearable:
 *
 *     start ─▶ · · ▶ wanted              few operations lead to it: they are folded
 *              wanted ◀─ · · · ◀─ kept ◀── · · · ◀── now
 *                        │        └ states on the way stay for a while, and a way begins at the nearest
 *                        └ `approach` goes a part of the way at a time, so that a server can answer others in between
 */
export class PastStates {
  readonly #database: Database;
  readonly #operations: OperationRows;
  readonly #spaces: SpaceRows;
  readonly #empty: State;
  /**
   * The newest last. A state is read from the rows of its thread, so it is valid only while they stay the same: as long
   * as `known` describes them.
   */
  readonly #states: { readonly known: KnownThread; readonly state: State }[] = [];

  constructor(database: Database, operations: OperationRows, spaces: SpaceRows, empty: State) {
    this.#database = database;
    this.#operations = operations;
    this.#spaces = spaces;
    this.#empty = empty;
  }

  /** The state right after an operation of the thread, on the line to its head or on another one. */
  at(known: KnownThread, present: State, wanted: OperationId): State {
    return this.#back(known, present, wanted, Number.POSITIVE_INFINITY) as State;
  }

  /** Goes back at most `most` operations towards a state. Returns whether `at` is quick now. */
  approach(known: KnownThread, present: State, wanted: OperationId, most: number): boolean {
    return this.#back(known, present, wanted, most) !== undefined;
  }

  /** Undefined when the state is further back than `most` operations. */
  #back(known: KnownThread, present: State, wanted: OperationId, most: number): State | undefined {
    const { version } = this.#operations.required(wanted);
    let state = this.#nearest(known, present, version);
    if (version <= FEW && state.version - version > version) return this.#folded(wanted);
    let operation = state.head === null ? undefined : this.#operations.required(state.head);
    for (let left = most; operation && operation.version > version; left -= 1) {
      if (left === 0) {
        this.#keep(known, state);
        return undefined;
      }
      const { id, parents } = operation;
      const before: Operation | undefined =
        parents[0] === undefined ? undefined : this.#operations.required(parents[0]);
      if (!before) break;
      const place = { head: before.id, version: before.version, typing: typingAfter(before) };
      state = unapply(state, operation, place, (take) => this.#spaceBefore(id, take));
      operation = before;
    }
    // Going back from the current state does not reach an operation that a merge brought in from another line.
    if (state.head !== wanted) return this.#folded(wanted);
    if (state !== present) this.#keep(known, state);
    return state;
  }

  #nearest(known: KnownThread, present: State, version: number): State {
    const later = this.#states.filter((each) => each.known === known && each.state.version >= version);
    return later.reduce((nearest, { state }) => (state.version < nearest.version ? state : nearest), present);
  }

  #keep(known: KnownThread, state: State): void {
    const at = this.#states.findIndex((each) => each.known === known && each.state.head === state.head);
    if (at >= 0) this.#states.splice(at, 1);
    this.#states.push({ known, state });
    if (this.#states.length > MOST) this.#states.shift();
  }

  #folded(wanted: OperationId): State {
    const line: Operation[] = [];
    for (let at: OperationId | undefined = wanted; at !== undefined; at = line.at(-1)?.parents[0])
      line.push(this.#operations.required(at));
    const older = { operation: (id: OperationId) => this.#operations.get(id), group: () => [] };
    const history = new MemoryHistory(this.#empty, older);
    for (const operation of line.reverse()) history.commit(operation);
    return history.state;
  }

  #spaceBefore(operation: OperationId, take: TakeId): Space | undefined {
    const row = this.#database
      .prepare("SELECT before FROM space_changes WHERE operation = ? AND take = ?")
      .get(operation, take);
    const space = row?.["before"];
    return space === null || space === undefined ? undefined : this.#spaces.space(this.#spaces.open(Number(space)));
  }
}

/** Up to this version a state is folded from the start, if that is the shorter way. */
const FEW = 256;
/** The most states that are kept; they share their common parts. */
const MOST = 16;
