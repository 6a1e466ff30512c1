import {
  type AgentState,
  activeTake,
  canRedo,
  canUndo,
  entries,
  entryCount,
  type History,
  type JsonObject,
  liveTakes,
  preview,
  recordOf,
  recordsOf,
  runningTurn,
  type State,
  spaceId,
} from "@retake/core";
import type { ThreadSummary } from "../store/thread-store.ts";
import { threadJson } from "./thread-json.ts";

/** A thread with all that is known of it (L3). */
export function threadAnswer(history: History, thread: ThreadSummary, current: string | undefined) {
  const { state } = history;
  const take = activeTake(state);
  const { title: _, id: __, created_at: ___, ...facts } = recordOf(state, "thread") ?? {};
  return {
    ...facts,
    ...threadJson(thread, current),
    version: state.version,
    head: state.head,
    take,
    entries: entryCount(state, take),
    agent: agentJson(state),
    git: recordOf(state, "git") ?? null,
    can_undo: canUndo(history),
    can_redo: canRedo(history),
  };
}

/** P7: enough of a thread for a list that a user chooses from. */
export function threadSummaryJson({ state }: History, thread: ThreadSummary, current: string | undefined) {
  const take = activeTake(state);
  const prompts = [...recordsOf(state, take, "turn")].map(([, record]) => record);
  const last = prompts.sort((a, b) => (String(a["started_at"]) < String(b["started_at"]) ? -1 : 1)).at(-1);
  const first = entries(state, take).next().value;
  const git = recordOf(state, "git")?.["now"] as JsonObject | null | undefined;
  return {
    ...threadJson(thread, current),
    take,
    takes: liveTakes(state).length,
    entries: entryCount(state, take),
    turns: prompts.length,
    preview: preview({ content: String(last?.["prompt"] ?? first?.content ?? "") }),
    running_turn: runningTurn(state, take) ?? null,
    branch: (git?.["branch"] as string | null | undefined) ?? null,
  };
}

/** Where the agent of the active take stands; null when it waits for input. */
function agentJson(state: State): { state: string; turn_id: string } | null {
  const record = recordOf(state, spaceId(activeTake(state), "agent"));
  const agent = record?.["state"] as AgentState | undefined;
  return agent ? { state: agent.kind, turn_id: String(record?.["turn_id"]) } : null;
}
