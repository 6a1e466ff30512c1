import { isRefusal } from "@retake/core";
import { takenBackOutcome, turnsAnswer } from "@retake/runtime";
import { turnEventResponse } from "../event-response.ts";
import { RequestError } from "../request-error.ts";
import { answer, type Handlers } from "./handler.ts";
import { cursorOf, pageOf } from "./page.ts";

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
    const version = host.read(params.id, ({ state }) => state.version);
    return answer({ op_id: null, version, thread_id: params.id, turn_id: queued.id, status: "queued" as const });
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
    const turn = { thread_id: params.id, turn_id: tried.turn.id, status: "running" as const };
    return answer({ op_id, version, ...turn, taken_back: outcome.answer });
  },

  listTurns: ({ host, params, query }) =>
    host.read(params.id, (history) => {
      const page = pageOf(turnsAnswer(history, host.turns.of(params.id)), ({ id }) => id, query);
      return answer({ turns: page.items as never[], version: history.state.version, ...cursorOf(page) });
    }),

  followTurn: (asked) => turnEventResponse(asked),

  async interruptTurn({ host, params }) {
    host.thread(params.id);
    const ended = await host.turns.interrupt(params.id, params.turn);
    if (!ended) throw new RequestError(404, "no-such-turn", "No turn of that id waits or runs in this thread here.");
    const found = host.read(params.id, (history) => ({
      version: history.state.version,
      status: turnsAnswer(history, [ended]).find(({ id }) => id === params.turn)?.status ?? "interrupted",
    }));
    return answer({ turn_id: params.turn, ...found });
  },

  decideApproval({ host, params, body }) {
    host.thread(params.id);
    const refused = host.turns.decide(params.id, params.turn, params.call, body.decision);
    return refused ?? answer({ turn_id: params.turn, call_id: params.call, decision: body.decision });
  },
};
