import type { OperationId } from "@retake/core";
import type { Segment } from "@retake/core/sync";
import type { KnownOperation } from "../exchange/operation-reader.ts";
import type { SyncRows } from "../store/sync-rows.ts";
import { type FoundSegment, readSegment, type SegmentContext } from "./read-segment.ts";

/** Reads the segments of one pull in their order. A segment may follow one that was read before it and is not stored yet. */
export class SegmentSequence {
  readonly #context: SegmentContext;
  readonly #earlier = new Map<OperationId, KnownOperation>();
  readonly #trees = new Set<string>();

  constructor(of: Omit<SegmentContext, "known" | "isTree">, rows: SyncRows) {
    this.#context = {
      ...of,
      known: (id) => this.#earlier.get(id) ?? rows.known(of.thread, id),
      isTree: (name) => this.#trees.has(name) || rows.hasTree(of.thread, name),
    };
  }

  read(segment: Segment): FoundSegment {
    const found = readSegment(this.#context, segment);
    if (found.kind === "unreadable") return found;
    for (const { operation, stored } of found.read)
      this.#earlier.set(operation.id, { hash: stored.hash, version: operation.version });
    for (const { name } of found.trees) this.#trees.add(name);
    return found;
  }
}
