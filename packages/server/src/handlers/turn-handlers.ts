import { isRefusal } from "@retake/core";
import { type QueuedTurn, type Runtime, takenBackOutcome, turnAnswer, turnsPage } from "@retake/runtime";
import { turnEventResponse } from "../event-response.ts";
import { RequestError } from "../request-error.ts";
import { answer, type Handlers } from "./handler.ts";
import { cursorOf, wrongCursor } from "./page.ts";

export const turnHandlers: Handlers<
  "startTurn" | "retry" | "listTurns" | "followTurn" | "interruptTurn" | "decideApproval"
> = {
  async startTurn({ runtime, params, body, change }) {
    const { workspace_root: root } = runtime.thread(params.id);
    const queued = await runtime.turns.submit({
      ...{ thread: params.id, root, prompt: body.prompt, model: body.model, approveAll: body.approve_all },
      ...(change.expectedVersion === undefined ? {} : { expectedVersion: change.expectedVersion }),
    });
    if (isRefusal(queued)) return queued;
    return answer({ ...told(runtime, params.id, queued), thread_id: params.id, status: "queued" as const });
  },

  async retry({ runtime, params, body, change }) {
    const { workspace_root: root } = runtime.thread(params.id);
    const tried = await runtime.turns.retry({
      ...{ thread: params.id, root, prompt: body.prompt, model: body.model, approveAll: body.approve_all },
      ...(change.expectedVersion === undefined ? {} : { expectedVersion: change.expectedVersion }),
    });
    if (tried.kind === "refused") return tried;
    const outcome = takenBackOutcome(runtime.store, params.id, tried.begun);
    if (outcome.kind !== "answer") return outcome;
    const { op_id, version } = outcome.answer;
    const begun = { ...told(runtime, params.id, tried.turn), op_id, version };
    return answer({ ...begun, thread_id: params.id, status: "running" as const, taken_back: outcome.answer });
  },

  listTurns: ({ runtime, params, query }) =>
    runtime.read(params.id, (history) => {
      const page = turnsPage(history, runtime.turns.of(params.id), query);
      if (!page) throw wrongCursor();
      return answer({ turns: page.items as never[], version: history.state.version, ...cursorOf(page) });
    }),

  followTurn: (asked) => turnEventResponse(asked),

  async interruptTurn({ runtime, params }) {
    runtime.thread(params.id);
    const ended = await runtime.turns.interrupt(params.id, params.turn);
    if (!ended) throw new RequestError(404, "no-such-turn", "No turn of that id waits or runs in this thread here.");
    const found = told(runtime, params.id, ended);
    return answer({ ...found, status: found.turn.status });
  },

  decideApproval({ runtime, params, body }) {
    runtime.thread(params.id);
    const { id: thread, turn: turn_id, call: call_id } = params;
    const { decision } = body;
    const given = runtime.turns.decide(thread, turn_id, call_id, decision);
    if (isRefusal(given)) return given;
    const version = runtime.read(thread, ({ state }) => state.version);
    const { entry: _, ...approval } = given;
    return answer({ op_id: null, version, turn_id, call_id, decision, approval: approval as never });
  },
};

/** A turn that was asked for, as it is now. */
function told(runtime: Runtime, thread: string, turn: QueuedTurn) {
  return runtime.read(thread, (history) => {
    const found = turnAnswer(history, turn.id, turn);
    return { op_id: null, version: history.state.version, turn_id: turn.id, turn: found as never as TurnJson };
  });
}

type TurnJson = Pick<QueuedTurn, "id" | "prompt" | "status"> & { readonly approvals: readonly never[] };
