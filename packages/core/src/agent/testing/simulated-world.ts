import type { AgentEvent } from "../agent-event.ts";
import type { Action } from "../effect.ts";
import type { ModelErrorCode } from "../failure.ts";
import { Conversation } from "./conversation.ts";
import { examinedCall, OVER_BUDGET } from "./event-for.ts";

type Choose = (among: number) => number;

/**
 * A model, tools, a hook, a timer and a user, driven by choices. Returns the events that an action leads to;
 * `undefined` when it leads to none, an empty list when it silences the stream it cancels. Choice 0 always means
 * success.
 */
export function eventsOf(action: Action, choose: Choose, at: number): AgentEvent[] | undefined {
  switch (action.kind) {
    case "call-model":
      return answer(action, choose, at);
    case "examine-calls": {
      const { turn_id, step, attempt } = action;
      if (choose(8) === 1) {
        const code = choose(2) === 0 ? "busy" : "failed";
        return [{ kind: "io-failed", turn_id, step, code, message: "the store cannot be read", at, jitter: 1 }];
      }
      const calls = action.calls.map(({ call_id }) => examinedCall(call_id, "rwaodp"[choose(6)] ?? "r"));
      const mode = (["ask", "undoable", "all"] as const)[choose(3)] ?? "ask";
      const policy = { mode, rules: [], questions: choose(3) !== 1 };
      return [{ kind: "calls-examined", turn_id, step, attempt, calls, policy, at }];
    }
    case "ask-approval": {
      const { turn_id, step, call_id } = action;
      const decision = (["allow", "allow-always", "deny"] as const)[choose(3)] ?? "allow";
      return [{ kind: "approval-given", turn_id, step, call_id, decision, at }];
    }
    case "run-tool": {
      const { turn_id, step, call_id } = action;
      const outcome = choose(4) === 1 ? "failed" : "completed";
      return [
        { kind: "tool-progressed", turn_id, step, call_id, progress: { fraction: 0.5 } },
        { kind: "tool-ended", turn_id, step, call_id, outcome, content: outcome, at },
      ];
    }
    case "cancel-tool": {
      // The tool may have ended by itself in the meantime; then it reports that.
      if (choose(3) === 1) return undefined;
      const { turn_id, step, call_id } = action;
      return [{ kind: "tool-ended", turn_id, step, call_id, outcome: "interrupted", content: "ended by a signal", at }];
    }
    case "run-post-tools-hook": {
      const { turn_id, step } = action;
      return [{ kind: "hook-finished", turn_id, step, at }];
    }
    case "wait-for-retry": {
      const { turn_id, step, retries, retry_at } = action;
      return [{ kind: "retry-due", turn_id, step, retries, at: retry_at }];
    }
    case "cancel-model":
    case "cancel-retry":
      // Cancelling is a request: events already under way may still arrive, late.
      return choose(2) === 0 ? [] : undefined;
    case "notify-retry":
    case "add-rule":
    case "raise-budget":
      return undefined;
  }
}

/** The stream of events of an action: the one it starts, or the one it cancels. */
export function streamOf(action: Action): string {
  const { turn_id, step } = action;
  switch (action.kind) {
    case "call-model":
    case "cancel-model":
      return `model ${turn_id} ${step} ${action.attempt}`;
    case "wait-for-retry":
    case "cancel-retry":
    case "notify-retry":
      return `timer ${turn_id} ${step} ${action.retries}`;
    case "run-tool":
    case "cancel-tool":
      return `tool ${action.entry_id}`;
    case "ask-approval":
      return `user ${action.entry_id}`;
    case "add-rule":
      return `rules ${turn_id}`;
    case "raise-budget":
      return `budget ${turn_id}`;
    case "examine-calls":
      return `examination ${turn_id} ${step} ${action.attempt}`;
    case "run-post-tools-hook":
      return `hook ${turn_id} ${step}`;
  }
}

function answer(action: Action & { kind: "call-model" }, choose: Choose, at: number): AgentEvent[] {
  const { turn_id, step, attempt } = action;
  const sent: AgentEvent = { kind: "request-sent", turn_id, step, attempt, sent: { sent_markdown: turn_id } };
  const parts = Conversation.answerOf(turn_id, step, attempt).map((text): AgentEvent => {
    return { kind: "model-part-received", turn_id, step, attempt, part: { kind: "text", text } };
  });
  if (choose(16) === 1) {
    const failed = { code: "over-budget", message: "it failed", over_budget: OVER_BUDGET, at, jitter: 0.3 } as const;
    return [{ kind: "model-failed", turn_id, step, attempt, ...failed }];
  }
  if (choose(4) === 1) {
    const codes = [
      "stalled",
      "overloaded",
      "network",
      "rate-limited",
      "refused",
      "invalid-key",
      "invalid-signature",
      "invalid-image",
    ] as const;
    const code: ModelErrorCode = codes[choose(codes.length)] ?? "server";
    const failed = { code, message: "it failed", at, jitter: 0.3 };
    return [sent, ...parts.slice(0, choose(4)), { kind: "model-failed", turn_id, step, attempt, ...failed }];
  }
  const calls = ["a", "b", "a"].slice(0, choose(4)).map((id) => ({ id, name: "tool", input: {} }));
  const usage = { input_tokens: 2, output_tokens: 1 };
  return [sent, ...parts, { kind: "model-responded", turn_id, step, attempt, stop: "end", calls, usage, at }];
}
