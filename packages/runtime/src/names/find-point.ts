import {
  activeTake,
  isRefusal,
  type Operation,
  type OperationId,
  parseNumberedName,
  parsePoint,
  type Refusal,
  refuse,
  spaceId,
  type TakeId,
  turn,
} from "@retake/core";
import type { NameScope, TurnStart } from "../store/name-index.ts";
import { findCall } from "./find-entry.ts";
import { findOperation } from "./find-operation.ts";
import { findTurn } from "./find-turn.ts";
import { nearIn, notFound } from "./not-found.ts";

/** A moment in the history of a thread: right after an operation. */
export interface Point {
  readonly operation: OperationId;
  /** The take that is looked at there, where it is not the one that the operation led to. */
  readonly take?: TakeId;
  readonly turn?: { readonly start: TurnStart; readonly side: "before" | "end" };
}

/** `#7` (the end of turn 7) or `#7.2.1` (of a call), an operation (right after it), and with `^` right before it [N6]. */
export function findPoint(scope: NameScope, text: string): Point | Refusal {
  const { name, before } = parsePoint(text);
  const start = findTurn(scope, name);
  if (!isRefusal(start)) return pointOfTurn(scope, start, before);
  const call = pointOfCall(scope, name, before);
  if (call) return call;
  const id = findOperation(scope, name);
  if (isRefusal(id)) return id.code === "ambiguous" ? id : whyNot(text, start, id);
  return before ? rightBefore(operationIn(scope, id)) : { operation: id };
}

/** The beginning of the turn, or its present end, even if it was undone since. */
function pointOfTurn(scope: NameScope, start: TurnStart, before: boolean): Point | Refusal {
  const first = operationIn(scope, start.operation);
  if (before) {
    const point = rightBefore(first);
    return isRefusal(point) ? point : { ...point, turn: { start, side: "before" } };
  }
  const last = scope.history.group(first.group).findLast(({ turn_id }) => turn_id === start.id) ?? first;
  return { operation: last.id, take: first.take, turn: { start, side: "end" } };
}

/** The moment after a tool call of the active take, or the one before it; undefined where the name is of no call that has ended. */
function pointOfCall(scope: NameScope, name: string, before: boolean): Point | Refusal | undefined {
  if (parseNumberedName(name) === undefined) return undefined;
  const result = findCall(scope, name);
  if (isRefusal(result)) return undefined;
  const { history } = scope;
  const take = activeTake(history.state);
  const group = turn(history.state, take, result.turn_id ?? "")?.group;
  const own = (group === undefined ? [] : history.group(group)).filter(({ diff, take: of }) =>
    diff.changes.some(({ id }) => id === spaceId(of, "entry", result.id)),
  );
  const [began, ended] = [own.find(isKind("tool-started")), own.findLast(isKind("tool-ended"))];
  if (!began || !ended) return undefined;
  return before ? rightBefore(began) : { operation: ended.id, take: ended.take };
}

function isKind(wanted: Operation["kind"]): (operation: Operation) => boolean {
  return ({ kind }) => kind === wanted;
}

function rightBefore({ parents: [parent], take }: Operation): Point | Refusal {
  if (parent !== undefined) return { operation: parent, take };
  return refuse("not-found", "Nothing was before the thread began.");
}

/** Refuses a name that is neither, as the kind that it looks most like. */
function whyNot(text: string, turn: Refusal, operation: Refusal): Refusal {
  if (turn.code === "ambiguous" || nearIn(turn).length > 0) return turn;
  return notFound("point", text, "in this thread", nearIn(operation));
}

function operationIn({ history }: NameScope, id: OperationId): Operation {
  const operation = history.operation(id);
  if (!operation) throw new Error(`the index names an operation that is not there: ${id}`);
  return operation;
}
