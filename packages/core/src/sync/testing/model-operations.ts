import { relate } from "../../history/merge-ancestors.ts";
import type { Operation, OperationId } from "../../session/operation.ts";
import type { SegmentOperation } from "../segment.ts";
import { tagOf } from "./segments.ts";

/** An operation of the model: only what sync sees of one. */
export type ModelOperation = Pick<Operation, "id" | "parents" | "version">;

/**
 * All operations that any device of the model has made. An id follows from what the operation is made of, as the id of a
 * merge does in the product; so equal situations that different orders of events lead to are equal.
 */
export class ModelOperations {
  readonly #byKey = new Map<string, ModelOperation>();
  readonly #byId = new Map<OperationId, ModelOperation>();

  get(id: OperationId): ModelOperation {
    const known = this.#byId.get(id);
    if (!known) throw new Error(`nobody has made ${id}`);
    return known;
  }

  /** The parts of a history that core's readers need. */
  operation(id: OperationId): Operation | undefined {
    return this.#byId.get(id) as Operation | undefined;
  }

  make(what: string, parents: readonly OperationId[]): ModelOperation {
    const key = `${what}(${parents})`;
    const known = this.#byKey.get(key);
    if (known) return known;
    const version = 1 + Math.max(0, ...parents.map((id) => this.get(id).version));
    const made = { id: `${what[0]}${this.#byId.size}`, parents, version };
    this.#byKey.set(key, made);
    this.#byId.set(made.id, made);
    return made;
  }

  /** As `mergeHeads`: the first head is the main line, and the others are merged into it one after the other. */
  merge(heads: readonly OperationId[], what = "merge"): { head: OperationId; operations: ModelOperation[] } {
    const operations: ModelOperation[] = [];
    const head = heads.reduce((main, other) => {
      const { kind } = relate(this, main, other);
      if (kind === "ahead") return other;
      if (kind !== "diverged") return main;
      const made = this.make(what, [main, other]);
      operations.push(made);
      return made.id;
    });
    return { head, operations };
  }

  inSegment(id: OperationId): SegmentOperation {
    return { id, tag: tagOf(id), parents: this.get(id).parents };
  }
}
