import type { AgentEvent } from "../agent-event.ts";
import { type AgentState, IDLE_AGENT } from "../agent-state.ts";
import { isRecordEffect } from "../effect.ts";
import { transition } from "../transition.ts";
import { Conversation } from "./conversation.ts";
import { Ledger } from "./ledger.ts";
import { eventsOf, streamOf } from "./simulated-world.ts";

/**
 * The runtime as a loop. Whatever an action starts is a stream of events to come; which stream speaks
 * next is a choice too, so events race as they do in the world. When the choices are used up, nobody
 * meddles any more and everything goes well: then it must come to rest.
 */
export class SimulatedRuntime {
  state: AgentState = IDLE_AGENT;
  readonly conversation = new Conversation();
  readonly ledger = new Ledger();
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

  /** What a user, a full disk or a power cut does at any time. */
  private meddle(): void {
    const { turn_id, step } = "turn" in this.state ? this.state.turn : { turn_id: "none", step: 1 };
    const at = this.now;
    const failed = { message: "the disk is full", retryable: this.choose(2) === 0, at, jitter: 0.5 };
    const meddling = [
      () => this.take({ kind: "interrupt-requested", turn_id, at }),
      () => this.take({ kind: "shutdown-requested", at }),
      () => this.take({ kind: "io-failed", turn_id, step, ...failed }),
      () => this.crash(),
      () => this.submit(),
    ];
    meddling[this.choose(meddling.length)]?.();
  }

  private submit(): void {
    // An agent that was shut down is started again, as a new process would.
    if (this.state.kind === "shutting-down") this.crash();
    this.turns += 1;
    const turn = { turn_id: `t${this.turns}`, prompt: "go", model: "scripted/default", at: this.now };
    const limits = { max_steps: 1 + this.choose(4), max_retries: this.choose(3), approve_all: this.choose(3) === 1 };
    this.take({ kind: "prompt-submitted", ...turn, ...limits });
  }

  /** Only what was committed is left: the conversation, and the state as JSON. */
  private crash(): void {
    this.streams.clear();
    this.ledger.runs.clear();
    this.state = JSON.parse(JSON.stringify(this.state)) as AgentState;
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

  private take(event: AgentEvent): void {
    this.now += 1;
    const result = transition(this.state, event);
    this.ledger.take(this.state, event, result);
    this.state = result.state;
    for (const effect of result.effects) {
      if (isRecordEffect(effect)) {
        this.conversation.keep(effect);
        continue;
      }
      const events = eventsOf(effect, this.choose, this.now);
      if (events?.length === 0) this.streams.delete(streamOf(effect));
      else if (events) this.streams.set(streamOf(effect), events);
    }
  }
}
