import type { Operation } from "@retake/core";
import { nameOfOperation, nameOfTurn } from "../names/name-things.ts";
import type { NameScope } from "../store/name-index.ts";

/** An operation as JSON; commands and routes accept its names as well as its ids. */
export function operationJson(operation: Operation, scope: NameScope) {
  const { id, kind, description, actor, created_at, take, turn_id, undoes, parents, group } = operation;
  return {
    id,
    name: nameOfOperation(scope, id),
    kind,
    description,
    actor,
    created_at: new Date(created_at).toISOString(),
    thread_id: scope.thread,
    take,
    parents,
    group,
    ...(turn_id === undefined ? {} : { turn_id, turn_name: nameOfTurn(scope, turn_id) }),
    ...(undoes === undefined ? {} : { undoes }),
  };
}
