import type { Operation } from "@retake/core";

/** An operation as other programs are told of it. */
export function operationJson(operation: Operation, thread: string) {
  const { id, kind, description, actor, created_at, take, turn_id, undoes } = operation;
  return {
    id,
    kind,
    description,
    actor,
    created_at: new Date(created_at).toISOString(),
    thread_id: thread,
    take,
    ...(turn_id === undefined ? {} : { turn_id }),
    ...(undoes === undefined ? {} : { undoes }),
  };
}
