import { type SessionView, viewOf } from "@retake/client";
import {
  type AgentState,
  type ApprovalRule,
  type Built,
  type Context,
  checkpointFormat,
  createThread,
  cutWindow,
  encode,
  finishTurn,
  isRefusal,
  type JsonObject,
  MemoryHistory,
  moveAgent,
  type Notice,
  type OverBudget,
  promptEntryId,
  proposeTool,
  resultEntryId,
  startTurn,
  stepEntryId,
  streamTurn,
} from "@retake/core";
import type { Event } from "../model/effect.ts";
import { initialModel, type Model } from "../model/model.ts";

/** A thread that was talked in: every pair is a prompt and its answer. The last turn has this status; with `true` it runs on. */
export function talkedView(
  talk: readonly (readonly [string, string])[],
  status: boolean | "finished" | "interrupted" = "finished",
  last = 200,
): SessionView {
  return viewAfter(talk, status === false ? "finished" : status, last, () => {});
}

/** The same, while the last turn asks about a call, or about its budget. */
export function askingView(talk: readonly (readonly [string, string])[], asked: AskedCall | OverBudget): SessionView {
  return viewAfter(talk, true, 200, (history, commit, context) => {
    const turn_id = `turn${talk.length}`;
    const turn = {
      ...{ turn_id, model: "scripted/default", step: 1, entry_id: stepEntryId(turn_id, 1) },
      ...{ max_steps: 9, max_retries: 2, usage: {} },
    };
    if ("raised" in asked) {
      const agent: AgentState = { kind: "calling-model", turn, attempt: 1, over_budget: asked };
      commit(moveAgent(history.state, context(), { turn_id, agent }));
      return;
    }
    const { name, input, notices, always } = asked;
    const call = { id: "c1", name, input };
    const entry = resultEntryId(turn_id, 1, 1);
    const pending = { call_id: "c1", name, entry_id: entry, status: "pending", parallel: false, notices } as const;
    const execution = { ...pending, approval: "awaited" as const, ...(always ? { always } : {}) };
    const agent: AgentState = { kind: "executing-tools", turn, executions: [execution] };
    commit(
      streamTurn(history.state, context(), { turn_id, entry: turn.entry_id, text: "", fields: { tool_calls: [call] } }),
    );
    commit(proposeTool(history.state, context(), { turn_id, entry, call, agent }));
  });
}

interface AskedCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly notices: readonly Notice[];
  readonly always?: ApprovalRule;
}

function viewAfter(
  talk: readonly (readonly [string, string])[],
  status: true | "finished" | "interrupted",
  last: number,
  more: (history: MemoryHistory, commit: (built: Built) => void, context: () => Context) => void,
): SessionView {
  const history = new MemoryHistory();
  let ids = 0;
  const context = (): Context => {
    ids += 1;
    return { id: `op${ids}`, at: 1_700_000_000_000 + ids * 2000, actor: { kind: "user" } };
  };
  const commit = (built: Built) => {
    if (isRefusal(built)) throw new Error(built.message);
    history.commit(built.operation);
  };
  commit(
    createThread(context(), {
      origin: { id: "T-1", private: false, workspace_root: "/work", cwd: "/work", retake_version: "1" },
      title: "A thread",
      take: "take-1",
    }),
  );
  for (const [index, [prompt, answer]] of talk.entries()) {
    const turn_id = `turn${index + 1}`;
    commit(startTurn(history.state, context(), { turn_id, prompt: { id: promptEntryId(turn_id), content: prompt } }));
    commit(streamTurn(history.state, context(), { turn_id, entry: stepEntryId(turn_id, 1), text: answer }));
    const ended = index < talk.length - 1 ? "finished" : status;
    if (ended !== true) commit(finishTurn(history.state, context(), { turn_id, status: ended }));
  }
  more(history, commit, context);
  const cut = cutWindow(history.state, { last });
  if (isRefusal(cut)) throw new Error(cut.message);
  const { state, ...window } = cut;
  const checkpoint = JSON.parse(JSON.stringify(encode(checkpointFormat, state)));
  return viewOf("T-1", { seq: String(state.version), checkpoint, window });
}

export function modelOf(view: SessionView | undefined, columns = 80, rows = 24): Model {
  const model = initialModel({
    size: { columns, rows },
    now: 1_700_000_100_000,
    root: "/home/hello",
    prompts: [],
    mouse: true,
    ctrlZ: "undo",
  });
  return { ...model, isOpen: true, thread: view && "T-1", view, title: "A thread" };
}

/** A view of the thread with a draft, so many versions later. */
export function viewed(view: SessionView, draft: string, { later = 1, take = view.take } = {}): Event {
  const space = view.state.spaces.get(view.take);
  if (!space) throw new Error("no space");
  const records = space.records.with("setting:draft", { value: draft });
  const spaces = view.state.spaces.with(take, { ...space, records });
  return {
    type: "viewed",
    now: 0,
    view: { ...view, take, state: { ...view.state, version: view.state.version + later, spaces } },
  };
}
