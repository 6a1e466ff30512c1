import type { Notice } from "../session/entry.ts";
import { spaceId, type TakeId } from "../session/record.ts";
import { recordOf, type State } from "../session/state.ts";
import { entryById } from "../session/view.ts";
import type { JsonObject } from "../values/json.ts";
import { type AgentState, BUDGET } from "./agent-state.ts";
import type { ApprovalRule } from "./approval-rule.ts";

/** A tool call that waits for the user's approval, or the question whether the turn may cost more (`BUDGET`). */
export interface AwaitedApproval {
  readonly turn_id: string;
  readonly call_id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly notices: readonly Notice[];
  /** The rule that `allow-always` would add; without one `allow-always` cannot be given. */
  readonly always?: ApprovalRule;
}

/**
 * The approvals that the agent of a take waits for. They are read from its records, so every reader sees the same,
 * whichever process runs the turn.
 */
export function awaitedApprovals(state: State, take: TakeId): AwaitedApproval[] {
  const agent = recordOf(state, spaceId(take, "agent"))?.["state"] as AgentState | undefined;
  if (agent?.kind === "calling-model" && agent.over_budget) {
    const { turn_id } = agent.turn;
    return [{ turn_id, call_id: BUDGET, name: BUDGET, input: agent.over_budget, notices: [] }];
  }
  if (agent?.kind !== "executing-tools" || agent.ending) return [];
  const { turn_id, entry_id } = agent.turn;
  const calls = entryById(state, take, entry_id)?.tool_calls ?? [];
  return agent.executions.flatMap((execution) => {
    if (execution.status !== "pending" || execution.approval !== "awaited") return [];
    const { call_id, name, notices, always } = execution;
    const input = calls.find(({ id }) => id === call_id)?.input ?? {};
    return [{ turn_id, call_id, name, input, notices, ...(always ? { always } : {}) }];
  });
}
