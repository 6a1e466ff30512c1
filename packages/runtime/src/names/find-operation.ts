import { hashPrefix, type OperationId, type Refusal } from "@retake/core";
import type { NameScope } from "../store/name-index.ts";
import { nameOfOperation } from "./name-things.ts";
import { ambiguous, notFound } from "./not-found.ts";

/** An operation of the thread by the first letters of its hash, four or more, or by its id. */
export function findOperation(scope: NameScope, name: string): OperationId | Refusal {
  const { thread, history, index } = scope;
  if (history.operation(name)) return name;
  const prefix = hashPrefix(name);
  if (prefix === undefined) return notFound("operation", name, "in this thread");
  const [first, ...others] = index.operations(thread, prefix, MOST_NEAR);
  if (first === undefined) return notFound("operation", name, "in this thread", namesNear(scope, prefix));
  if (others.length === 0) return first;
  return ambiguous(
    "operation",
    name,
    [first, ...others].map((id) => nameOfOperation(scope, id)),
  );
}

const MOST_NEAR = 6;

/** Operations whose ids begin with the same three letters: the name may be mistyped. */
function namesNear(scope: NameScope, prefix: string): string[] {
  const near = scope.index.operations(scope.thread, prefix.slice(0, 3), MOST_NEAR);
  return near.map((id) => nameOfOperation(scope, id));
}
