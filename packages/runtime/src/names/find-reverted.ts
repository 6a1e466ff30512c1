import { isRefusal, type Refusal, type RevertRequest } from "@retake/core";
import type { NameScope } from "../store/name-index.ts";
import { findCall } from "./find-entry.ts";
import { findOperation } from "./find-operation.ts";
import { findTurn } from "./find-turn.ts";
import { nearIn, notFound } from "./not-found.ts";

/** Finds the thing to revert: a turn, a tool call, or an operation. */
export function findReverted(scope: NameScope, name: string): RevertRequest | Refusal {
  const turn = revertedTurn(scope, name);
  if (!isRefusal(turn) || turn.code === "ambiguous") return turn;
  const operation = findOperation(scope, name);
  if (!isRefusal(operation)) return { operation };
  if (operation.code === "ambiguous") return operation;
  const call = revertedCall(scope, name);
  if (!isRefusal(call)) return call;
  // A name of no kind is refused with the nearest names of the kind that it looks like.
  const near = [turn, operation, call].map(nearIn).find((names) => names.length > 0);
  return notFound("turn, call or operation", name, "in this thread", near);
}

/** Finds a turn by the operation that began it, so an undone turn is found too, and refused as taken back already. */
function revertedTurn(scope: NameScope, name: string): RevertRequest | Refusal {
  const start = findTurn(scope, name);
  return isRefusal(start) ? start : { operation: start.operation };
}

/** Finds several turns in a row, by their first and last; without a last, one turn. */
export function revertedTurns(scope: NameScope, first: string, last?: string): RevertRequest | Refusal {
  const found = revertedTurn(scope, first);
  if (isRefusal(found) || last === undefined) return found;
  const until = findTurn(scope, last);
  return isRefusal(until) ? until : { ...found, until: until.operation };
}

export function revertedCall(scope: NameScope, name: string): RevertRequest | Refusal {
  const result = findCall(scope, name);
  return isRefusal(result) ? result : { result: result.id };
}
