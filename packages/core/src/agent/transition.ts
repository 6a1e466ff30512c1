/*
The agent is a state machine that does nothing itself. An event says what has happened; the answer is
the next state and the effects, as data, that the runtime is to carry out; their results come back as
events. The runtime is one loop, and all that can be decided wrongly is decided here, where it can be
tried a million times without a model, a disk or a clock.

  waiting-for-input ── prompt-submitted ──▶ calling-model ◀───────────────────────┐
          ▲                                     │      │                          │
          │                                     │      └ answer without calls:    │
          │                                     │        the turn ends            │
          │                                     ▼ model-responded                 │
          │                            processing-response                        │
          │                                     │                                 │
          │                                     ▼ calls-examined                  │ next step
          │                              executing-tools                          │
          │                      pending ──▶ running ──▶ completed                │
          │                         └─── denied, cannot run ──▲                   │
          │                                     │                                 │
          │                                     ▼ the last call is completed      │
          │                              post-tools-hook ───── hook-finished ─────┘
          │                                     │
          └──────────── the turn ends ──────────┘ no step is left

  in any of them   an interrupt, a failure for good, a recovery ──▶ the turn ends
                   a shutdown ──▶ the turn ends ──▶ shutting-down
  calling-model, processing-response
                   a failure that may pass ──▶ error ── retry-due ──▶ the same again

Three ideas carry the rest:

1. One transition, one commit. Its effects are records, then actions. `recordOperation` says which
   operation each record is; the runtime commits them together, with the new state, then acts. A crash
   before the commit: the event never happened. A crash after it: the state says what may have begun,
   and `recoverAgent` closes it. A commit that fails is an event too, `io-failed`; after it the event
   that could not be committed is given again.

2. Work has a name. Every action carries its turn, step and attempt (or call), and every event about it
   carries them back. An event whose name is not the work awaited now is late, and late events are
   ignored: a retry cannot hear the stream it replaced, nor a turn the tools of the one before it.

3. What is opened is closed once. A turn by `record-turn-finished`, a step by `record-step-finished`, a
   call by `record-tool-ended`. Interrupting, shutting down, failing and recovering differ only in how
   they close what the state shows to be open.

A tool counts as running from the moment that it is recorded as started, before it has been run.
An interrupted turn stays where it is, with `ending` set, until each of its tools has reported its end:
then no file changes after the turn is over, and a tool that had finished anyway is recorded as that.
*/

import type { AgentEvent } from "./agent-event.ts";
import { type AgentOutcome, ignored } from "./agent-outcome.ts";
import type { ActiveState, AgentState } from "./agent-state.ts";
import { whileCallingModel } from "./calling-model.ts";
import { isRecordEffect, type RecordEffect } from "./effect.ts";
import { whileExecutingTools } from "./executing-tools.ts";
import { ioFailure } from "./failure.ts";
import { whileHookRuns } from "./post-tools-hook.ts";
import { whileProcessingResponse } from "./processing-response.ts";
import { recoverAgent } from "./recover-agent.ts";
import { staleness, type WorkEvent } from "./stale.ts";
import { shutDown, stopTurn } from "./stop-turn.ts";
import { whileWaitingAfterError } from "./waiting-after-error.ts";
import { startTurn } from "./waiting-for-input.ts";

/** Decides what an event means to the agent. Never throws; an event that does not fit is `ignored`, with a reason. */
export function transition(state: AgentState, event: AgentEvent): AgentOutcome {
  const outcome = decide(state, event);
  // After `io-failed` the store may accept nothing, so neither the wait nor the ending is recorded.
  if (event.kind === "io-failed" || outcome.state === state || !("turn" in outcome.state)) return outcome;
  if (outcome.effects.some(isRecordEffect)) return outcome;
  const moved: RecordEffect = { kind: "record-agent", turn_id: outcome.state.turn.turn_id };
  return { ...outcome, effects: [moved, ...outcome.effects] };
}

function decide(state: AgentState, event: AgentEvent): AgentOutcome {
  switch (event.kind) {
    case "recovered":
      return recoverAgent(state, event);
    case "shutdown-requested":
      return shutDown(state, event.at);
    case "prompt-submitted":
      if (state.kind === "shutting-down") return ignored(state, "shutting-down");
      return state.kind === "waiting-for-input" ? startTurn(state, event) : ignored(state, "turn-running");
    default: {
      if (state.kind === "shutting-down") return ignored(state, "shutting-down");
      if (state.kind === "waiting-for-input") return ignored(state, "no-turn");
      const stale = staleness(state.turn, event);
      if (stale !== undefined) return ignored(state, stale);
      if (event.kind !== "interrupt-requested") return work(state, event);
      return stopTurn(state, { status: "interrupted", shutdown: false }, event.at);
    }
  }
}

function work(state: ActiveState, event: WorkEvent): AgentOutcome {
  switch (state.kind) {
    case "calling-model":
      return whileCallingModel(state, event);
    case "processing-response":
      return whileProcessingResponse(state, event);
    case "error":
      return whileWaitingAfterError(state, event);
    case "executing-tools":
    case "post-tools-hook": {
      if (event.kind !== "io-failed")
        return state.kind === "executing-tools" ? whileExecutingTools(state, event) : whileHookRuns(state, event);
      // Not repeated: tools may have changed files, and the hook may still be running.
      const failure = ioFailure(event.code, event.message);
      return stopTurn(state, { status: "failed", failure, shutdown: false }, event.at);
    }
  }
}
