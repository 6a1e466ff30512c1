import type { QueuedTurn } from "../../answers/turns-answer.ts";
import { turnAnswer } from "../../answers/turns-answer.ts";
import type { Runtime } from "../../host/runtime.ts";

/** The present state of a requested turn. */
export function queuedAnswer(runtime: Runtime, thread: string, turn: QueuedTurn) {
  return runtime.read(thread, (history) => {
    const found = turnAnswer(history, turn.id, turn);
    return { op_id: null, version: history.state.version, turn_id: turn.id, turn: found as never as TurnJson };
  });
}

export type TurnJson = Pick<QueuedTurn, "id" | "prompt" | "status"> & { readonly approvals: readonly never[] };
