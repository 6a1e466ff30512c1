import type { History } from "../history/history.ts";
import { mergeHeads } from "../history/merge.ts";
import type { Head } from "../history/merge-two-heads.ts";
import type { Built, Context } from "../session/draft.ts";
import type { Operation, OperationId } from "../session/operation.ts";
import { isRefusal } from "../session/refusal.ts";
import { apply, EMPTY_STATE, type State } from "../session/state.ts";
import { HASHES } from "./merge-devices.ts";
import { MergeOracle } from "./merge-oracle.ts";

/** A replica in the universe: its head, and the heads of everything it knows. */
export interface Replica {
  readonly head: OperationId;
  readonly heads: readonly OperationId[];
  readonly done: number;
}

/** A change on a device, as one operation; the state carries the device's name. */
export type Step = (history: History, context: Context) => Built;

interface Known {
  /** Counts from 0, in the order of discovery. */
  readonly number: number;
  readonly operation: Operation;
  readonly hash: string;
  readonly state: State;
  readonly ancestors: ReadonlySet<OperationId>;
}

/**
 * All operations that any order of events leads to. The id of an operation is derived from its parent and its device,
 * so orders with the same result are the same, and each is visited once.
 */
export class Universe {
  readonly #known = new Map<OperationId, Known>();
  readonly #merges = new Map<string, OperationId>();
  readonly #oracle = new MergeOracle();
  readonly #lines = this.#history(EMPTY_STATE);

  known(id: OperationId): Known {
    const known = this.#known.get(id);
    if (!known) throw new Error(`${id} is not known`);
    return known;
  }

  add(operation: Operation): OperationId {
    const parents = operation.parents.map((id) => this.known(id));
    const state = apply(parents[0]?.state ?? EMPTY_STATE, operation, (id) => this.known(id).state);
    const hash = HASHES.operation(
      operation,
      parents.map((each) => each.hash),
    );
    const known = this.#known.get(operation.id);
    if (known && known.hash !== hash) throw new Error(`two operations have the id ${operation.id}`);
    if (known) return operation.id;
    const ancestors = new Set([operation.id, ...parents.flatMap((each) => [...each.ancestors])]);
    this.#known.set(operation.id, { number: this.#known.size, operation, hash, state, ancestors });
    return operation.id;
  }

  work(name: string, replica: Replica, step: Step): Replica {
    const { hash, state, operation } = this.known(replica.head);
    const id = `${name}${replica.done}-${hash.slice(0, 12)}`;
    const context = { id, at: operation.created_at + 5000, actor: { kind: "user" } } as const;
    const built = this.#known.has(id) ? undefined : step(this.#history({ ...state, device: name }), context);
    if (built && isRefusal(built)) return { ...replica, done: replica.done + 1 };
    const head = built ? this.add(built.operation) : id;
    return { head, heads: this.#tips([...replica.heads, head]), done: replica.done + 1 };
  }

  receive(replica: Replica, from: Replica): Replica {
    return { ...replica, heads: this.#tips([...replica.heads, ...from.heads]) };
  }

  merge(replica: Replica, order: (one: Head, other: Head) => number): Replica {
    const key = replica.heads.join();
    const known = this.#merges.get(key);
    if (known) return { ...replica, head: known, heads: [known] };
    const heads = replica.heads.map((operation) => ({ operation, hash: this.known(operation).hash })).sort(order);
    const merge = mergeHeads(this.#lines, heads, HASHES);
    if (isRefusal(merge)) throw new Error(merge.message);
    for (const { operation } of merge.operations) this.add(operation);
    this.#oracle.check(this.#lines, merge);
    this.#merges.set(key, merge.head.operation);
    return { ...replica, head: merge.head.operation, heads: [merge.head.operation] };
  }

  #tips(ids: readonly OperationId[]): OperationId[] {
    const all = [...new Set(ids)].sort();
    return all.filter((id) => !all.some((other) => other !== id && this.known(other).ancestors.has(id)));
  }

  #history(state: State): History {
    return {
      state,
      operation: (id) => this.#known.get(id)?.operation,
      // Here every group is one operation.
      group: (id) => [this.known(id).operation],
      stateAt: (id) => this.known(id).state,
    };
  }
}
