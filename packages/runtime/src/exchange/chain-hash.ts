import { hash as digest } from "node:crypto";
import { hashOperation, type Operation, type OperationV1 } from "@retake/core";
import type { Hash } from "@retake/workspace";

/** The hash of the next operation of a chain, given the known hashes of its parents. Adds it to `known`. */
export function chainHash(operation: Operation | OperationV1, known: Map<string, Hash>): Hash {
  const parents = operation.parents.map((id) => known.get(id) ?? "");
  const hash = hashOperation(operation, parents, (text) => digest("sha256", text));
  known.set(operation.id, hash);
  return hash;
}
