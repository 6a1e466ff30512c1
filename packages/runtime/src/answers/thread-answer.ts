import {
  type AgentState,
  activeTake,
  canRedo,
  canUndo,
  entries,
  entriesBack,
  entryCount,
  type History,
  inSpace,
  inThread,
  liveTakes,
  type NamedCall,
  preview,
  recordOf,
  runningTurn,
  type State,
  setting,
  spaceId,
  type Turn,
  turn,
} from "@retake/core";
import type { GitContext } from "../runner/git-context.ts";
import type { SentRecord } from "../runner/model-request.ts";
import type { ThreadSummary } from "../store/thread-store.ts";
import { threadJson } from "./thread-json.ts";

/** A thread with all that is known of it (L3). */
export function threadAnswer(history: History, thread: ThreadSummary, current: string | undefined) {
  const { state } = history;
  const take = activeTake(state);
  const { title: _, id: __, created_at: ___, ...facts } = recordOf(state, "thread") ?? {};
  const model = setting(state, take, "model") || lastTurn(state, take)?.model || null;
  const sent = recordOf(state, spaceId(take, "discussion")) as Partial<SentRecord> | undefined;
  const listed = threadJson(thread, current);
  return {
    ...facts,
    ...listed,
    version: state.version,
    head: state.head,
    take,
    model,
    provider: model?.split("/")[0] ?? null,
    git_commit: gitNow(state).head,
    last_updated: listed.updated_at,
    context_snapshot: sent?.context_snapshot ?? [],
    sent_markdown: sent?.sent_markdown ?? "",
    sent_system_prompt: sent?.sent_system_prompt ?? "",
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
  const first = entries(state, take).next().value;
  const facts = recordOf(state, "thread") ?? {};
  return {
    ...threadJson(thread, current),
    take,
    takes: liveTakes(state).length,
    entries: entryCount(state, take),
    turns: inThread(state, "numbers")?.turns ?? 0,
    preview: preview({ content: lastTurn(state, take)?.prompt ?? first?.content ?? "" }),
    running_turn: runningTurn(state, take) ?? null,
    tags: (facts["tags"] ?? []) as string[],
    pinned: facts["pinned"] === true,
    ...gitNow(state),
  };
}

/** The last noted git state of the thread's directory. */
function gitNow(state: State) {
  const now = recordOf(state, "git")?.["now"] as Partial<GitContext> | null | undefined;
  return { head: now?.commit ?? null, branch: now?.branch ?? null, dirty: now?.dirty ?? null };
}

/** Entries in which the last turn is looked for: more than a turn has, and not all of a long conversation. */
const LOOKED_AT = 1000;

/** The turn that the last entry of a turn belongs to. */
function lastTurn(state: State, take: string): Turn | undefined {
  let left = LOOKED_AT;
  for (const { turn_id } of entriesBack(state, take)) {
    if (typeof turn_id === "string") return turn(state, take, turn_id);
    left -= 1;
    if (left === 0) break;
  }
  return undefined;
}

/** Where the agent of the active take stands, with the calls that have not ended (L3); null when it waits for input. */
function agentJson(state: State) {
  const record = inSpace(state, activeTake(state), "agent");
  if (!record) return null;
  const agent = record.state as AgentState;
  return { state: agent.kind, turn_id: record.turn_id, tool_calls: openCalls(agent) };
}

function openCalls(agent: AgentState) {
  if (agent.kind === "processing-response") return agent.calls.map((call) => ({ ...named(call), status: "pending" }));
  if (agent.kind !== "executing-tools") return [];
  return agent.executions
    .filter(({ status }) => status !== "completed")
    .map((call) => ({ ...named(call), status: call.status }));
}

function named({ call_id, name, entry_id }: NamedCall) {
  return { call_id, name, entry_id };
}
