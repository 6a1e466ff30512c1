import {
  activeTake,
  baseName,
  entryCount,
  lastChange,
  lastShared,
  originOf,
  runningTurn,
  type State,
  type Take,
} from "@retake/core";
import { nameOfTurn } from "../names/name-things.ts";
import type { NameScope } from "../store/name-index.ts";

/** A take as JSON; `base_name` is the name of its group (D3). */
export function takeJson(state: State, { id, name }: Take) {
  return {
    id,
    name,
    base_name: baseName(name),
    active: id === activeTake(state),
    entries: entryCount(state, id),
  };
}

/** The same with its place in the tree of takes. */
export function takeInTree(scope: NameScope, take: Take) {
  const { history } = scope;
  const origin = originOf(history, take.id);
  const from = origin?.from;
  const entry = origin && lastShared(history, take.id, origin);
  const turn = entry?.turn_id;
  const branched_at = from && {
    entry: entry?.id ?? null,
    turn: turn ?? null,
    ...(turn === undefined ? {} : { turn_name: nameOfTurn(scope, turn) }),
    op: from.operation,
  };
  const time = (at: number | undefined) => new Date(at ?? 0).toISOString();
  return {
    ...takeJson(history.state, take),
    parent: from?.take ?? null,
    branched_at: branched_at ?? null,
    created_at: time(origin?.operation.created_at),
    updated_at: time((lastChange(history, take.id) ?? origin?.operation)?.created_at),
    running: runningTurn(history.state, take.id) ?? null,
  };
}
