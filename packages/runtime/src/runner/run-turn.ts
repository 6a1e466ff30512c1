/**
 * One turn, carried out: events go through the core's agent, what it says to record is committed, and
 * then what it says to do is done, whose results are the next events.
 *
 *     event ─▶ transition (core) ─▶ COMMIT state and records ─▶ actions ─▶ events …
 *
 * Events are taken one at a time. Text that streams in is gathered for a moment before it is an event,
 * so that an answer is some dozens of commits and not thousands. Files are captured before and after
 * every tool that may write: what a tool changed is the turn's, what changed otherwise is the user's.
 */
import {
  type AgentEvent,
  type AgentOutcome,
  type AgentState,
  activeTake,
  type Effect,
  IDLE_AGENT,
  isRecordEffect,
  type OperationId,
  type RecordEffect,
  type Refusal,
  type TakeId,
  transition,
  turn,
} from "@retake/core";
import { RefusedError } from "../undo/thread-files.ts";
import type { Captured } from "../workspace/capture/capture-engine.ts";
import { GitNotes } from "./git-notes.ts";
import { commitRecords, type Recording } from "./record-effects.ts";
import type { TurnEvent, TurnParts, TurnRequest, TurnResult } from "./turn.ts";
import { TurnWork } from "./turn-work.ts";

export async function runTurn(parts: TurnParts, request: TurnRequest): Promise<TurnResult | Refusal> {
  return new TurnRun(parts, request).run<never>(async (start) => {
    await parts.files.noteEdits(request.thread);
    start();
    return undefined;
  });
}

/** A turn whose beginning is committed together with something else, or not at all: then `begin` says why not. */
export async function runTurnWith<Not>(
  parts: TurnParts,
  request: TurnRequest,
  begin: Begin<Not>,
): Promise<TurnResult | Refusal | Not> {
  return new TurnRun(parts, request).run(begin);
}

/** Calls `start`, in its own transaction, where the turn may begin; with the operation that the turn is another try after. */
export type Begin<Not> = (start: (retries?: OperationId) => void) => Promise<Not | undefined>;

/** That the agent waits for the user is recorded, so that every screen can show what it waits for, and answer. */
function waiting(effects: readonly Effect[]): RecordEffect[] {
  const [first] = effects.flatMap((effect) => (effect.kind === "ask-approval" ? [effect] : []));
  if (!first) return [];
  const { turn_id, step, call_id, name, entry_id } = first;
  return [{ kind: "record-tool-progress", turn_id, step, call_id, name, entry_id, progress: {} }];
}

class TurnRun {
  readonly #parts: TurnParts;
  readonly #request: TurnRequest;
  readonly #turn: string;
  readonly #take: TakeId;
  readonly #git: GitNotes;
  readonly #work: TurnWork;
  readonly #queue: AgentEvent[] = [];
  #agent: AgentState = IDLE_AGENT;
  #wake: () => void = () => {};
  #result: TurnResult | undefined;
  #broken: { readonly cause: unknown } | undefined;

  constructor(parts: TurnParts, request: TurnRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#turn = request.turn ?? parts.identity.id();
    this.#take = parts.store.read(request.thread, ({ state }) => activeTake(state));
    const root = Buffer.from(parts.workspace.root, "latin1").toString("utf8");
    this.#git = new GitNotes(parts, { root, thread: request.thread, take: this.#take });
    const tell = (event: AgentEvent) => this.#push(event);
    const watched = { ...request, onEvent: (event: TurnEvent) => this.#watch(event) };
    const broke = (cause: unknown) => this.#break(cause);
    this.#work = new TurnWork(parts, watched, { take: this.#take, git: this.#git, tell, broke });
  }

  async run<Not>(begin: Begin<Not>): Promise<TurnResult | Refusal | Not> {
    const { signal } = this.#request;
    const { identity } = this.#parts;
    const interrupt = () => {
      this.#work.flush();
      this.#push({ kind: "interrupt-requested", turn_id: this.#turn, at: identity.now() });
    };
    if (signal.aborted) interrupt();
    signal.addEventListener("abort", interrupt);
    try {
      const started = this.#start();
      const not = await begin((retries) =>
        this.#commit(started.effects.filter(isRecordEffect), started.state, retries === undefined ? {} : { retries }),
      );
      if (not !== undefined) return not;
      this.#git.begin();
      this.#act(started);
      while (!this.#result) await this.#handle(await this.#next());
      await this.#git.finish();
      return this.#result;
    } catch (error) {
      if (error instanceof RefusedError) return error.refusal;
      throw error;
    } finally {
      signal.removeEventListener("abort", interrupt);
      this.#work.stop();
    }
  }

  #start(): AgentOutcome {
    const { prompt, model, approveAll } = this.#request;
    const at = this.#parts.identity.now();
    const submitted = { turn_id: this.#turn, prompt, model: model.name, approve_all: approveAll, at };
    return transition(IDLE_AGENT, { kind: "prompt-submitted", ...submitted });
  }

  /** A watcher that fails while the model speaks ends the turn's run, and is not taken for a failure of the model's. */
  #watch(event: TurnEvent): void {
    try {
      this.#request.onEvent(event);
    } catch (cause) {
      this.#break(cause);
    }
  }

  #break(cause: unknown): void {
    this.#broken ??= { cause };
    this.#wake();
  }

  #push(event: AgentEvent): void {
    this.#queue.push(event);
    this.#wake();
  }

  async #next(): Promise<AgentEvent> {
    for (;;) {
      if (this.#broken) throw this.#broken.cause;
      const event = this.#queue.shift();
      if (event) return event;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async #handle(event: AgentEvent): Promise<void> {
    const outcome = transition(this.#agent, event);
    if (outcome.ignored !== undefined) return;
    const records = [...outcome.effects.filter(isRecordEffect), ...waiting(outcome.effects)];
    const finished = records.some((record) => record.kind === "record-turn-finished");
    let last = records.map((record) => this.#capturedAfter(record)).findLast((each) => each !== undefined);
    // What changed since the last tool was not the agent's doing; where that tool ends only now, nothing has.
    if (finished) last ??= await this.#parts.files.noteEdits(this.#request.thread);
    this.#commit(records, outcome.state, last ? { covered: last.receipt } : {});
    this.#act(outcome);
  }

  /** What was recorded is told, and then what follows from it is done. */
  #act({ state, effects }: AgentOutcome): void {
    this.#agent = state;
    for (const effect of effects) if (isRecordEffect(effect)) this.#tell(effect);
    this.#request.onCommit?.();
    for (const effect of effects) if (!isRecordEffect(effect)) this.#work.perform(effect);
  }

  #capturedAfter(record: RecordEffect): Captured | undefined {
    return record.kind === "record-tool-ended" ? this.#work.captured.get(record.call_id) : undefined;
  }

  #commit(records: readonly RecordEffect[], agent: AgentState, more: Pick<Recording, "covered" | "retries">): void {
    const { thread, model } = this.#request;
    const { prefix } = this.#work;
    const context = () => this.#parts.identity.context({ kind: "agent", name: model.name });
    commitRecords(this.#parts, thread, records, context, (record) => {
      const captured = this.#capturedAfter(record);
      return {
        ...{ take: this.#take, agent, model: model.name },
        ...(captured === undefined ? {} : { captured }),
        ...(prefix === undefined ? {} : { prefix }),
        ...more,
      };
    });
  }

  #tell(record: RecordEffect): void {
    const event = this.#eventOf(record);
    if (!event) return;
    if (event.type === "turn-finished") this.#result = event;
    this.#request.onEvent(event);
  }

  #eventOf(record: RecordEffect): TurnEvent | undefined {
    const thread_id = this.#request.thread;
    switch (record.kind) {
      case "record-turn-started":
        return { type: "turn-started", thread_id, turn_id: record.turn_id, model: record.model };
      case "record-step-discarded":
        return { type: "answer-discarded", entry: record.entry_id };
      case "record-tool-started": {
        const { entry_id: entry, call_id, name, notices } = record;
        const input = this.#work.input(record);
        return { type: "tool-started", entry, call_id, name, input, notices };
      }
      case "record-tool-ended": {
        const { entry_id: entry, call_id, name, outcome: status, content } = record;
        return { type: "tool-ended", entry, call_id, name, status, content };
      }
      case "record-turn-finished": {
        const { turn_id, status, usage } = record;
        const failure = record.failure ? { failure: { ...record.failure } } : {};
        const kept = this.#parts.store.read(thread_id, ({ state }) => turn(state, this.#take, turn_id)?.receipt);
        const receipt = kept ? { receipt: kept } : {};
        return { type: "turn-finished", thread_id, turn_id, status, usage, ...failure, ...receipt };
      }
      default:
        return undefined;
    }
  }
}
