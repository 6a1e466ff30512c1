import { isRefusal } from "@retake/core";
import { type Host, type QueuedTurn, takenBackOutcome, turnAnswer, turnsPage } from "@retake/runtime";
import { turnEventResponse } from "../event-response.ts";
import { RequestError } from "../request-error.ts";
import { answer, type Handlers } from "./handler.ts";
import { cursorOf, wrongCursor } from "./page.ts";

export const turnHandlers: Handlers<
  "startTurn" | "retry" | "listTurns" | "followTurn" | "interruptTurn" | "decideApproval"
> = {
  async startTurn({ host, params, body, change }) {
    const { workspace_root: root } = host.thread(params.id);
    const queued = await host.turns.submit({
      ...{ thread: params.id, root, prompt: body.prompt, model: body.model, approveAll: body.approve_all },
      ...(change.expectedVersion === undefined ? {} : { expectedVersion: change.expectedVersion }),
    });
    if (isRefusal(queued)) return queued;
    return answer({ ...told(host, params.id, queued), thread_id: params.id, status: "queued" as const });
  },

  async retry({ host, params, body, change }) {
    const { workspace_root: root } = host.thread(params.id);
    const tried = await host.turns.retry({
      ...{ thread: params.id, root, prompt: body.prompt, model: body.model, approveAll: body.approve_all },
      ...(change.expectedVersion === undefined ? {} : { expectedVersion: change.expectedVersion }),
    });
    if (tried.kind === "refused") return tried;
    const outcome = takenBackOutcome(host.home, params.id, tried.begun);
    if (outcome.kind !== "answer") return outcome;
    const { op_id, version } = outcome.answer;
    const begun = { ...told(host, params.id, tried.turn), op_id, version };
    return answer({ ...begun, thread_id: params.id, status: "running" as const, taken_back: outcome.answer });
  },

  listTurns: ({ host, params, query }) =>
    host.read(params.id, (history) => {
      const page = turnsPage(history, host.turns.of(params.id), query);
      if (!page) throw wrongCursor();
      return answer({ turns: page.items as never[], version: history.state.version, ...cursorOf(page) });
    }),

  followTurn: (asked) => turnEventResponse(asked),

  async interruptTurn({ host, params }) {
    host.thread(params.id);
    const ended = await host.turns.interrupt(params.id, params.turn);
    if (!ended) throw new RequestError(404, "no-such-turn", "No turn of that id waits or runs in this thread here.");
    const found = told(host, params.id, ended);
    return answer({ ...found, status: found.turn.status });
  },

  decideApproval({ host, params, body }) {
    host.thread(params.id);
    const { id: thread, turn: turn_id, call: call_id } = params;
    const { decision } = body;
    const given = host.turns.decide(thread, turn_id, call_id, decision);
    if (isRefusal(given)) return given;
    const version = host.read(thread, ({ state }) => state.version);
    const { entry: _, ...approval } = given;
    return answer({ op_id: null, version, turn_id, call_id, decision, approval: approval as never });
  },
};

/** A turn that was asked for, as it is now. */
function told(host: Host, thread: string, turn: QueuedTurn) {
  return host.read(thread, (history) => {
    const found = turnAnswer(history, turn.id, turn);
    return { op_id: null, version: history.state.version, turn_id: turn.id, turn: found as never as TurnJson };
  });
}

type TurnJson = Pick<QueuedTurn, "id" | "prompt" | "status"> & { readonly approvals: readonly never[] };
