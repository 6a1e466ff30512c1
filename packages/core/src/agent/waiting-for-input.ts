import { promptEntryId, stepEntryId } from "../session/entry-ids.ts";
import { DEFAULT_MAX_RETRIES } from "../values/retry-delay.ts";
import type { PromptSubmitted } from "./agent-event.ts";
import { type AgentOutcome, ignored, moved } from "./agent-outcome.ts";
import type { RunningTurn, WaitingForInput } from "./agent-state.ts";
import type { RecordEffect } from "./effect.ts";
import { startStep } from "./enter-state.ts";

const DEFAULT_MAX_STEPS = 200;

/** A prompt starts a turn and its first step. */
export function startTurn(state: WaitingForInput, event: PromptSubmitted): AgentOutcome {
  const { turn_id, model, prompt, at } = event;
  if (turn_id === state.last?.turn_id) return ignored(state, "stale-turn");
  const turn: RunningTurn = {
    turn_id,
    model,
    step: 1,
    entry_id: stepEntryId(turn_id, 1),
    max_steps: countOr(event.max_steps, 1, DEFAULT_MAX_STEPS),
    max_retries: countOr(event.max_retries, 0, DEFAULT_MAX_RETRIES),
    usage: {},
  };
  const entry_id = promptEntryId(turn_id);
  const started: RecordEffect = { kind: "record-turn-started", turn_id, entry_id, prompt, model, at };
  const first = startStep(turn, 1);
  return moved(first.state, [started], [first.action]);
}

function countOr(value: number | undefined, least: number, otherwise: number): number {
  return value !== undefined && Number.isSafeInteger(value) && value >= least ? value : otherwise;
}
