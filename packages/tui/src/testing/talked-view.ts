import { type SessionView, viewOf } from "@retake/client";
import {
  type Built,
  type Context,
  checkpointFormat,
  createThread,
  cutWindow,
  encode,
  finishTurn,
  isRefusal,
  MemoryHistory,
  promptEntryId,
  startTurn,
  stepEntryId,
  streamTurn,
} from "@retake/core";
import { initialModel, type Model } from "../model/model.ts";

/** A thread that was talked in: every pair is a prompt and its answer. The last turn runs on with `isRunning`. */
export function talkedView(talk: readonly (readonly [string, string])[], isRunning = false, last = 200): SessionView {
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
    if (!isRunning || index < talk.length - 1)
      commit(finishTurn(history.state, context(), { turn_id, status: "finished" }));
  }
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
  });
  return { ...model, isOpen: true, thread: view && "T-1", view, title: "A thread" };
}
