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
  type Action,
  type AgentEvent,
  type AgentState,
  type ApprovalRule,
  activeTake,
  type Context,
  entryById,
  IDLE_AGENT,
  isRecordEffect,
  type JsonObject,
  type ModelPart,
  type Notice,
  type RecordEffect,
  type Refusal,
  recordOf,
  refuse,
  type State,
  setting,
  spaceId,
  type TakeId,
  transition,
} from "@retake/core";
import type { Model, ModelRequest } from "../model/model.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import type { Tool } from "../tools/tool.ts";
import type { Identity } from "../undo/identity.ts";
import { RefusedError, type ThreadFiles, treeName } from "../undo/thread-files.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import { PartGatherer } from "./part-gatherer.ts";
import { recordEffect } from "./record-effects.ts";

export interface TurnParts {
  readonly store: ThreadStore;
  readonly workspace: Workspace;
  readonly files: ThreadFiles;
  readonly identity: Identity;
  readonly tools: readonly Tool[];
  /** The request for a step, from the conversation as it is now. */
  readonly request: (
    state: State,
    take: TakeId,
    step: number,
  ) => Omit<ModelRequest, "signal" | "tools"> & { prefix: string; discussion: JsonObject };
  /** Where long outputs of tools are kept. */
  readonly overflow: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface TurnRequest {
  readonly thread: string;
  readonly prompt: string;
  readonly model: Model;
  /** `--yes`: what would be asked about is allowed. */
  readonly approveAll: boolean;
  readonly approve: (question: ApprovalQuestion) => Promise<"allow" | "allow-always" | "deny">;
  readonly onEvent: (event: TurnEvent) => void;
  readonly signal: AbortSignal;
}

export interface ApprovalQuestion {
  readonly call_id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly notices: readonly Notice[];
  readonly always?: ApprovalRule;
}

/** What whoever watches a turn is told. */
export type TurnEvent =
  | { readonly type: "turn-started"; readonly thread_id: string; readonly turn_id: string; readonly model: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | {
      readonly type: "tool-started";
      readonly call_id: string;
      readonly name: string;
      readonly input: JsonObject;
      readonly notices: readonly Notice[];
    }
  | { readonly type: "tool-output"; readonly call_id: string; readonly text: string }
  | {
      readonly type: "tool-ended";
      readonly call_id: string;
      readonly name: string;
      readonly status: string;
      readonly content: string;
    }
  | { readonly type: "retry"; readonly message: string; readonly retry_at: number }
  | {
      readonly type: "turn-finished";
      readonly thread_id: string;
      readonly turn_id: string;
      readonly status: string;
      readonly usage: JsonObject;
      readonly failure?: JsonObject;
    };

export type TurnResult = Extract<TurnEvent, { type: "turn-finished" }>;

export async function runTurn(parts: TurnParts, request: TurnRequest): Promise<TurnResult | Refusal> {
  return new TurnRun(parts, request).run();
}

class TurnRun {
  readonly #parts: TurnParts;
  readonly #request: TurnRequest;
  readonly #turn: string;
  readonly #take: TakeId;
  readonly #queue: AgentEvent[] = [];
  readonly #gatherer: PartGatherer;
  /** What can still be stopped: the model's stream, tools, and waits, by their names. */
  readonly #running = new Map<string, AbortController>();
  /** The files after a tool, until its end is recorded. */
  readonly #trees = new Map<string, string>();
  #agent: AgentState = IDLE_AGENT;
  #prefix: string | undefined;
  #wake: () => void = () => {};
  #result: TurnResult | undefined;

  constructor(parts: TurnParts, request: TurnRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#turn = parts.identity.id();
    this.#take = parts.store.read(request.thread, ({ state }) => activeTake(state));
    this.#gatherer = new PartGatherer((part, attempt) =>
      this.#push({ kind: "model-part-received", turn_id: this.#turn, ...attempt, part }),
    );
  }

  async run(): Promise<TurnResult | Refusal> {
    const { prompt, model, approveAll, signal } = this.#request;
    const { store, files, identity } = this.#parts;
    await files.noteEdits(this.#request.thread);
    const stored = store.read(this.#request.thread, ({ state }) => recordOf(state, spaceId(this.#take, "agent")));
    if (stored)
      return refuse(
        "agent-running",
        "The agent is working on a turn in this thread already. Wait until it is done, or interrupt it.",
      );
    const interrupt = () => this.#push({ kind: "interrupt-requested", turn_id: this.#turn, at: identity.now() });
    signal.addEventListener("abort", interrupt);
    this.#push({
      kind: "prompt-submitted",
      turn_id: this.#turn,
      prompt,
      model: model.name,
      approve_all: approveAll,
      at: identity.now(),
    });
    if (signal.aborted) interrupt();
    try {
      while (!this.#result) {
        const event = this.#queue.shift() ?? (await this.#next());
        await this.#handle(event);
      }
      return this.#result;
    } catch (error) {
      if (error instanceof RefusedError) return error.refusal;
      throw error;
    } finally {
      signal.removeEventListener("abort", interrupt);
      for (const controller of this.#running.values()) controller.abort();
    }
  }

  #push(event: AgentEvent): void {
    this.#queue.push(event);
    this.#wake();
  }

  async #next(): Promise<AgentEvent> {
    for (;;) {
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
    const records = outcome.effects.filter(isRecordEffect);
    const finished = records.find((record) => record.kind === "record-turn-finished");
    // What changed since the last tool was not the agent's doing.
    if (finished) await this.#parts.files.noteEdits(this.#request.thread);
    this.#commit(records, outcome.state);
    this.#agent = outcome.state;
    for (const record of records) this.#tell(record);
    for (const effect of outcome.effects) if (!isRecordEffect(effect)) this.#perform(effect);
  }

  #commit(records: readonly RecordEffect[], agent: AgentState): void {
    const { store, workspace } = this.#parts;
    const { thread, model } = this.#request;
    workspace.database.transaction(() => {
      for (const record of records) {
        const tree = record.kind === "record-tool-ended" ? this.#trees.get(record.call_id) : undefined;
        const recording = {
          take: this.#take,
          agent,
          model: model.name,
          ...(tree === undefined ? {} : { tree }),
          ...(this.#prefix === undefined ? {} : { prefix: this.#prefix }),
        };
        const done = store.change(
          thread,
          (history) => recordEffect(record, history, this.#context(), recording) ?? SAYS_NOTHING,
        );
        if ("code" in done && done.code !== "nothing-to-do") throw new RefusedError(done);
      }
    });
  }

  #context(): Context {
    return this.#parts.identity.context({ kind: "agent", name: this.#request.model.name });
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
      case "record-step-part":
        return record.part.kind === "tool-call" ? undefined : { type: record.part.kind, text: record.part.text };
      case "record-tool-started": {
        const { call_id, name, notices } = record;
        return { type: "tool-started", call_id, name, input: this.#input(call_id), notices };
      }
      case "record-tool-ended": {
        const { call_id, name, outcome: status, content } = record;
        return { type: "tool-ended", call_id, name, status, content };
      }
      case "record-turn-finished": {
        const { turn_id, status, usage } = record;
        const failure = record.failure ? { failure: { ...record.failure } } : {};
        return { type: "turn-finished", thread_id, turn_id, status, usage, ...failure };
      }
      default:
        return undefined;
    }
  }

  #perform(action: Action): void {
    switch (action.kind) {
      case "call-model":
        this.#start(`model ${action.attempt}`, (signal) => this.#callModel(action, signal));
        break;
      case "cancel-model":
        this.#stop(`model ${action.attempt}`);
        break;
      case "examine-calls":
        this.#start("examination", () => this.#examine(action));
        break;
      case "ask-approval":
        this.#start(`approval ${action.call_id}`, () => this.#ask(action));
        break;
      case "run-tool":
        this.#start(`tool ${action.call_id}`, (signal) => this.#runTool(action, signal));
        break;
      case "cancel-tool":
        this.#stop(`tool ${action.call_id}`);
        break;
      case "run-post-tools-hook": {
        const { turn_id, step, attempt } = action;
        this.#push({ kind: "hook-finished", turn_id, step, attempt, at: this.#parts.identity.now() });
        break;
      }
      case "notify-retry":
        this.#request.onEvent({ type: "retry", message: action.failure.message, retry_at: action.retry_at });
        break;
      case "wait-for-retry":
        this.#start("retry", (signal) => this.#wait(action, signal));
        break;
      case "cancel-retry":
        this.#stop("retry");
        break;
      case "cancel-hook":
      case "finish-shutdown":
        break;
    }
  }

  #start(name: string, work: (signal: AbortSignal) => Promise<void>): void {
    const controller = new AbortController();
    this.#running.set(name, controller);
    void work(controller.signal).finally(() => this.#running.delete(name));
  }

  #stop(name: string): void {
    this.#running.get(name)?.abort();
  }

  async #callModel(
    { turn_id, step, attempt }: Extract<Action, { kind: "call-model" }>,
    signal: AbortSignal,
  ): Promise<void> {
    const { identity, store, tools } = this.#parts;
    const work = { turn_id, step, attempt };
    const jitter = Math.random();
    try {
      const {
        prefix,
        discussion: _,
        ...request
      } = store.read(this.#request.thread, ({ state }) => this.#parts.request(state, this.#take, step));
      this.#prefix = prefix;
      const offered = tools.map(({ name, description, input }) => ({ name, description, input }));
      for await (const part of this.#request.model.stream({ ...request, tools: offered, signal })) {
        if (part.kind === "responded") {
          this.#gatherer.flush();
          const { stop, calls, usage } = part;
          this.#push({ kind: "model-responded", ...work, stop, calls, usage, at: identity.now() });
          return;
        }
        if (part.kind === "failed") {
          this.#gatherer.flush();
          const { code, message, retry_after_ms } = part;
          const after = retry_after_ms === undefined ? {} : { retry_after_ms };
          this.#push({ kind: "model-failed", ...work, code, message, ...after, at: identity.now(), jitter });
          return;
        }
        this.#gatherer.add(part as ModelPart, { step, attempt });
      }
      this.#gatherer.flush();
      this.#push({
        kind: "model-failed",
        ...work,
        code: "network",
        message: "The model stopped in the middle of its answer.",
        at: identity.now(),
        jitter,
      });
    } catch (error) {
      this.#gatherer.flush();
      if (signal.aborted) return;
      this.#push({
        kind: "model-failed",
        ...work,
        code: "network",
        message: (error as Error).message,
        at: identity.now(),
        jitter,
      });
    }
  }

  async #examine(action: Extract<Action, { kind: "examine-calls" }>): Promise<void> {
    const { identity, tools, store } = this.#parts;
    const { turn_id, step, attempt, calls } = action;
    const work = { turn_id, step, attempt };
    try {
      const place = { root: this.#root() };
      const examined = await Promise.all(
        calls.map(async ({ call_id, name }) => {
          const tool = tools.find((each) => each.name === name);
          const input = this.#input(call_id);
          const problem = tool
            ? tool.check(input)
            : `There is no tool ${name}. There are: ${tools.map((each) => each.name).join(", ")}.`;
          if (!tool || problem !== undefined)
            return { call_id, parallel: true, facts: NO_FACTS, problem: problem ?? "" };
          const facts = await tool.examine(input, place);
          return { call_id, parallel: !facts.writes, facts };
        }),
      );
      const rules = store.read(this.#request.thread, ({ state }) => setting(state, this.#take, "approval_rules"));
      this.#push({ kind: "calls-examined", ...work, calls: examined, rules, at: identity.now() });
    } catch (error) {
      this.#push({
        kind: "examination-failed",
        ...work,
        retryable: false,
        message: (error as Error).message,
        at: identity.now(),
        jitter: 0,
      });
    }
  }

  async #ask({
    turn_id,
    step,
    call_id,
    name,
    notices,
    always,
  }: Extract<Action, { kind: "ask-approval" }>): Promise<void> {
    const question = { call_id, name, input: this.#input(call_id), notices, ...(always ? { always } : {}) };
    // Whoever cannot answer has not agreed.
    const decision = await this.#request.approve(question).catch(() => "deny" as const);
    this.#push({ kind: "approval-given", turn_id, step, call_id, decision, at: this.#parts.identity.now() });
  }

  async #runTool(
    { turn_id, step, call_id, name }: Extract<Action, { kind: "run-tool" }>,
    signal: AbortSignal,
  ): Promise<void> {
    const { identity, files, workspace, tools, overflow, environment } = this.#parts;
    const tool = tools.find((each) => each.name === name) as Tool;
    const input = this.#input(call_id);
    const work = { turn_id, step, call_id };
    let end: { outcome: "completed" | "failed" | "interrupted"; content: string; details?: JsonObject };
    try {
      const root = this.#root();
      const { writes } = await tool.examine(input, { root });
      if (writes) await files.noteEdits(this.#request.thread, { hints: true });
      const report = ({
        text,
        ...progress
      }: {
        text?: string;
        fraction?: number;
        message?: string;
        units?: number;
      }) => {
        if (text !== undefined) this.#request.onEvent({ type: "tool-output", call_id, text });
        if (Object.keys(progress).length > 0) this.#push({ kind: "tool-progressed", ...work, progress });
      };
      end = await tool.run(input, { root, signal, report, overflow, environment });
      if (writes) this.#trees.set(call_id, treeName((await workspace.capture()).id));
    } catch (error) {
      end = { outcome: "failed", content: (error as Error).message };
    }
    this.#push({ kind: "tool-ended", ...work, ...end, at: identity.now() });
  }

  async #wait(
    { turn_id, step, retries, delay_ms }: Extract<Action, { kind: "wait-for-retry" }>,
    signal: AbortSignal,
  ): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delay_ms);
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    });
    if (!signal.aborted) this.#push({ kind: "retry-due", turn_id, step, retries, at: this.#parts.identity.now() });
  }

  #root(): string {
    return Buffer.from(this.#parts.workspace.root, "latin1").toString("utf8");
  }

  #input(call: string): JsonObject {
    const agent = this.#agent;
    if (agent.kind === "waiting-for-input" || agent.kind === "shutting-down") return {};
    const { entry_id } = agent.turn;
    const entry = this.#parts.store.read(this.#request.thread, ({ state }) => entryById(state, this.#take, entry_id));
    return entry?.tool_calls?.find((each) => each.id === call)?.input ?? {};
  }
}

const SAYS_NOTHING = refuse("nothing-to-do", "The record says nothing new.");
const NO_FACTS = { writes: false, paths: [], irreversible: [] };
