import type { AgentEvent } from "../agent-event.ts";
import type { AgentOutcome } from "../agent-outcome.ts";
import type { AgentState, Execution } from "../agent-state.ts";
import { type Effect, isRecordEffect } from "../effect.ts";

/**
 * Checks effects by their meaning, independent of the agent's code: tracks what is open and what runs, and throws at
 * the first effect that may therefore not happen.
 */
export class Ledger {
  turn: string | undefined;
  /** The entry of the open step. */
  private step: string | undefined;
  private readonly turns = new Set<string>();
  private readonly attempts = new Set<string>();
  private readonly calls = new Map<string, "pending" | "running" | "ended">();
  /** Calls that the runtime must run and has not reported yet. */
  readonly runs = new Set<string>();

  take(before: AgentState, event: AgentEvent, result: AgentOutcome): void {
    const { state, effects } = result;
    if (result.ignored !== undefined) {
      check(state === before && effects.length === 0, "an ignored event changes nothing");
      return;
    }
    const firstAction = effects.findIndex((effect) => !isRecordEffect(effect));
    check(firstAction < 0 || !effects.slice(firstAction).some(isRecordEffect), "records come before actions");
    for (const [index, effect] of effects.entries()) {
      this.enter(effect, effects.slice(0, index), event);
    }
    check(
      state === before || effects.some(isRecordEffect) || event.kind === "io-failed" || !("turn" in state),
      "a state that changed is recorded",
    );
    this.agreeWith(state);
  }

  private enter(effect: Effect, before: readonly Effect[], event: AgentEvent): void {
    if ("turn_id" in effect && !effect.kind.startsWith("cancel-")) {
      check(effect.kind === "record-turn-started" || effect.turn_id === this.turn, `${effect.kind} in its open turn`);
    }
    switch (effect.kind) {
      case "record-turn-started":
        check(this.turn === undefined && !this.turns.has(effect.turn_id), "a turn starts once, alone");
        this.turns.add(effect.turn_id);
        this.turn = effect.turn_id;
        return;
      case "record-agent":
      case "record-request":
        return;
      case "record-step-part":
      case "record-step-discarded":
        check(this.step === effect.entry_id, "only the open step is written");
        return;
      case "record-step-finished":
        check(this.step === effect.entry_id, "only the open step is closed");
        check(effect.outcome === "answered" || effect.calls.length === 0, "a partial answer keeps no calls");
        this.step = undefined;
        return;
      case "record-tool-pending":
        check(!this.calls.has(effect.entry_id) && this.step === undefined, "a call is opened once, by a closed step");
        this.calls.set(effect.entry_id, "pending");
        return;
      case "record-tool-started":
        check(this.calls.get(effect.entry_id) === "pending", "a pending call starts");
        this.calls.set(effect.entry_id, "running");
        return;
      case "record-tool-progress":
        check(this.calls.get(effect.entry_id) === "running", "a running call makes progress");
        return;
      case "record-tool-ended": {
        const was = this.calls.get(effect.entry_id);
        check(was === "pending" || was === "running", "an open call ends, once");
        const killed = was === "running" && event.kind === "recovered";
        check((effect.outcome === "unknown") === killed, "what ran in a killed process is unknown, and nothing else");
        this.calls.set(effect.entry_id, "ended");
        this.runs.delete(effect.entry_id);
        return;
      }
      case "record-turn-finished":
        check(this.step === undefined && this.openCalls().length === 0, "a finished turn leaves nothing open");
        this.turn = undefined;
        return;
      case "call-model":
      case "examine-calls":
      case "run-post-tools-hook": {
        const name = `${effect.kind} ${effect.turn_id} ${effect.step} ${"attempt" in effect ? effect.attempt : 1}`;
        check(!this.attempts.has(name), "an attempt is made once");
        this.attempts.add(name);
        check(effect.kind === "examine-calls" || this.openCalls().length === 0, "no tool is open");
        if (effect.kind !== "call-model") return;
        // The first attempt opens the step.
        if (effect.attempt === 1) {
          check(this.step === undefined, "a step starts when the last one is closed");
          this.step = effect.entry_id;
        }
        check(this.step === effect.entry_id, "the model writes into the open step");
        return;
      }
      case "ask-approval":
        if (effect.over_budget) {
          check(this.step === effect.entry_id, "the budget is asked about in the step whose request was not sent");
          return;
        }
        check(this.calls.get(effect.entry_id) === "pending", "a pending call is asked about");
        return;
      case "run-tool": {
        const recorded = before.some(
          (each) => each.kind === "record-tool-started" && each.entry_id === effect.entry_id,
        );
        check(recorded && this.calls.get(effect.entry_id) === "running", "a tool is recorded as started, then run");
        check(!this.runs.has(effect.entry_id), "a tool is run once");
        this.runs.add(effect.entry_id);
        return;
      }
      case "cancel-tool":
        check(this.runs.has(effect.entry_id), "what runs is cancelled");
        return;
      case "cancel-model":
      case "cancel-retry":
      case "notify-retry":
      case "wait-for-retry":
      case "add-rule":
      case "raise-budget":
        return;
    }
  }

  private openCalls(): string[] {
    return [...this.calls].filter(([, status]) => status !== "ended").map(([entry]) => entry);
  }

  private agreeWith(state: AgentState): void {
    const active = "turn" in state ? state.turn.turn_id : undefined;
    check(active === this.turn, "the state and the records agree on the turn");
    if (state.kind !== "executing-tools") return;
    for (const each of state.executions) {
      const status = each.status === "completed" ? "ended" : each.status;
      check(this.calls.get(each.entry_id) === status, "the state and the records agree on the calls");
    }
    for (const [index, each] of state.executions.entries()) {
      if (each.status !== "running") continue;
      const open = (other: Execution) => other.status !== "completed";
      const before = state.executions.slice(0, index).filter(open);
      check(before.length === 0 || (each.parallel && before.every(({ parallel }) => parallel)), "writers run alone");
    }
    check(
      state.executions.some(({ status }) => status !== "completed"),
      "no call is waited for in vain",
    );
    const stuck = !state.executions.some(
      (each) => each.status === "running" || ("approval" in each && each.approval === "awaited"),
    );
    check(!stuck, "something runs or is asked about");
  }
}

function check(holds: boolean, rule: string): void {
  if (!holds) throw new Error(`broken: ${rule}`);
}
