import { spaceId } from "../../session/record.ts";
import { isRefusal } from "../../session/refusal.ts";
import { recordOf } from "../../session/state.ts";
import { World } from "../../testing/world.ts";
import { equal, type Json } from "../../values/json.ts";
import type { AgentEvent } from "../agent-event.ts";
import { type AgentState, IDLE_AGENT } from "../agent-state.ts";
import { isRecordEffect, type RecordEffect } from "../effect.ts";
import { recordOperation } from "../record-operation.ts";
import { transition } from "../transition.ts";
import { Conversation } from "./conversation.ts";
import { Ledger } from "./ledger.ts";
import { eventsOf, streamOf } from "./simulated-world.ts";

/**
 * The runtime as a loop. The agent's records are committed to a real thread, by the operations that `recordOperation`
 * makes; a commit may fail. Each action starts a stream of future events. A random choice picks which stream speaks
 * next, so events race as they do in reality. When the choices are used up, no disturbance happens any more and all
 * work succeeds: the loop must then come to rest.
 */
export class SimulatedRuntime {
  state: AgentState = IDLE_AGENT;
  readonly conversation = new Conversation();
  readonly ledger = new Ledger();
  readonly world = new World();
  private readonly streams = new Map<string, AgentEvent[]>();
  private readonly choices: number[];
  private now = 0;
  private turns = 0;

  constructor(choices: readonly number[]) {
    this.choices = [...choices];
  }

  run(): void {
    for (let count = 0; count < 20_000; count += 1) {
      if (this.choices.length > 0 && this.choose(12) === 1) this.meddle();
      else if (this.streams.size > 0) this.deliver();
      else if (this.choices.length > 0) this.submit();
      else return;
    }
    throw new Error("it does not come to rest");
  }

  private readonly choose = (among: number): number => (this.choices.shift() ?? 0) % among;

  /** Does what a user, a full disk or a power cut can do at any time. */
  private meddle(): void {
    const { turn_id, step } = "turn" in this.state ? this.state.turn : { turn_id: "none", step: 1 };
    const at = this.now;
    const meddling = [
      () => this.take({ kind: "interrupt-requested", turn_id, at }),
      () => this.take({ kind: "shutdown-requested", at }),
      () => this.take(this.ioFailed(turn_id, step)),
      () => this.crash(),
      () => this.submit(),
    ];
    meddling[this.choose(meddling.length)]?.();
  }

  private submit(): void {
    // Restarts an agent that was shut down, as a new process would.
    if (this.state.kind === "shutting-down") this.crash();
    this.turns += 1;
    const turn = { turn_id: `t${this.turns}`, prompt: "go", model: "scripted/default", at: this.now };
    const limits = { max_steps: 1 + this.choose(4), max_retries: this.choose(3) };
    this.take({ kind: "prompt-submitted", ...turn, ...limits });
  }

  /** Only committed data is left: the conversation, and the state as JSON. */
  private crash(): void {
    this.streams.clear();
    this.ledger.runs.clear();
    if ("turn" in this.state) this.state = JSON.parse(JSON.stringify(this.recorded())) as AgentState;
    this.take({ kind: "recovered", at: this.now });
  }

  private deliver(): void {
    const names = [...this.streams.keys()];
    const name = names[this.choose(names.length)] ?? "";
    const [event, ...rest] = this.streams.get(name) ?? [];
    if (rest.length === 0) this.streams.delete(name);
    else this.streams.set(name, rest);
    if (event) this.take(event);
  }

  private ioFailed(turn_id: string, step: number): AgentEvent {
    const code = (["disk-full", "failed", "busy"] as const)[this.choose(3)] ?? "failed";
    return { kind: "io-failed", turn_id, step, code, message: "it failed", at: this.now, jitter: 0.5 };
  }

  private take(event: AgentEvent, again = false): void {
    this.now += 1;
    const result = transition(this.state, event);
    const records = result.effects.filter(isRecordEffect);
    if (records.length > 0 && event.kind !== "recovered" && this.choose(20) === 1) {
      this.failCommit(event, again);
      return;
    }
    this.ledger.take(this.state, event, result);
    this.state = result.state;
    for (const record of records) this.commit(record);
    if (records.length > 0) this.isRecorded();
    for (const effect of result.effects) {
      if (isRecordEffect(effect)) continue;
      const events = eventsOf(effect, this.choose, this.now);
      if (events?.length === 0) this.streams.delete(streamOf(effect));
      else if (events) this.streams.set(streamOf(effect), events);
    }
  }

  private failCommit(event: AgentEvent, again: boolean): void {
    if (event.kind === "io-failed" || again || !("turn" in this.state)) {
      this.crash();
      return;
    }
    const { turn_id, step } = this.state.turn;
    this.take(this.ioFailed(turn_id, step));
    this.take(event, true);
  }

  private commit(record: RecordEffect): void {
    this.conversation.keep(record);
    const context = { ...this.world.context({ actor: { kind: "agent" } }), take: TAKE };
    const facts = { agent: this.state, hash: (text: string) => text, last: { covered: COVERED, tree: "tree-1" } };
    const done = this.world.try(recordOperation(this.world.state, context, record, facts));
    if (isRefusal(done) && done.code !== "nothing-to-do") throw new Error(`${record.kind}: ${done.message}`);
  }

  private recorded(): Json | undefined {
    return recordOf(this.world.state, spaceId(TAKE, "agent"))?.["state"];
  }

  /** Checks that the thread's record holds the agent's current state. */
  private isRecorded(): void {
    const state = "turn" in this.state ? this.state : undefined;
    if (!equal(this.recorded(), state)) throw new Error(`the agent is ${this.state.kind}, and not as its record says`);
  }
}

const TAKE = "t1";
const COVERED = { files: 1, bytes: 1, uncovered: [] };
