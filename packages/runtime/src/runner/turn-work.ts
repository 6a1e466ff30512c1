import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  type Action,
  type AgentEvent,
  type CallFacts,
  entryById,
  type JsonObject,
  type ModelPart,
  type State,
  setting,
  stepEntryId,
  type TakeId,
} from "@retake/core";
import type { Captured } from "@retake/workspace";
import type { ModelEnd } from "../model/model.ts";
import type { Tool, ToolEnd } from "../tools/tool.ts";
import type { CommsLine } from "./comms-log.ts";
import type { GitNotes } from "./git-notes.ts";
import { ioError } from "./io-error.ts";
import { modelRequest } from "./model-request.ts";
import { PartGatherer } from "./part-gatherer.ts";
import { readContext } from "./read-context.ts";
import type { TurnParts, TurnRequest } from "./turn.ts";

/** A line of the communication log, before it is given its time. */
type Undated = CommsLine extends infer Line ? (Line extends CommsLine ? Omit<Line, "at"> : never) : never;

type OfStep = { readonly turn_id: string; readonly step: number };
type Work<Kind extends Action["kind"]> = Extract<Action, { kind: Kind }>;

/** Does what the agent asks for, and tells what came of it as events. Decides nothing and records nothing of the turn. */
export class TurnWork {
  readonly #parts: TurnParts;
  readonly #request: TurnRequest;
  readonly #take: TakeId;
  readonly #git: GitNotes;
  readonly #tell: (event: AgentEvent) => void;
  /** Holds what the model said last. */
  #gatherer: PartGatherer | undefined;
  /** What can still be stopped, by its name. */
  readonly #running = new Map<string, AbortController>();
  /** What the calls of this step were found to touch. */
  readonly #facts = new Map<string, CallFacts>();
  readonly #tools = new Set<Promise<void>>();
  /** The files after a tool, by the entry of its result, until its end is recorded. */
  readonly captured = new Map<string, Captured>();
  /** Whether a tool may have written what no capture holds, because the capture after it failed. */
  uncaptured = false;
  /** Fingerprint of the messages that were sent last. */
  prefix: string | undefined;

  constructor(
    parts: TurnParts,
    request: TurnRequest,
    own: {
      readonly take: TakeId;
      readonly git: GitNotes;
      readonly tell: (event: AgentEvent) => void;
    },
  ) {
    this.#parts = parts;
    this.#request = request;
    this.#take = own.take;
    this.#git = own.git;
    this.#tell = own.tell;
  }

  perform(action: Action): void {
    switch (action.kind) {
      case "call-model":
        this.#start(`model ${action.step} ${action.attempt}`, action, (signal) => this.#callModel(action, signal));
        break;
      case "cancel-model":
        this.#running.get(`model ${action.step} ${action.attempt}`)?.abort();
        break;
      case "examine-calls":
        this.#start("examination", action, () => this.#examine(action));
        break;
      case "ask-approval":
        this.#start(`approval ${action.call_id}`, action, () => this.#ask(action));
        break;
      case "run-tool": {
        const run = this.#start(`tool ${action.call_id}`, action, (signal) => this.#runTool(action, signal));
        this.#tools.add(run);
        void run.finally(() => this.#tools.delete(run));
        break;
      }
      case "cancel-tool":
        this.#running.get(`tool ${action.call_id}`)?.abort();
        break;
      case "run-post-tools-hook": {
        const { turn_id, step } = action;
        this.#tell({ kind: "hook-finished", turn_id, step, at: this.#now() });
        break;
      }
      case "notify-retry":
        this.#request.onEvent({ type: "retry", message: action.failure.message, retry_at: action.retry_at });
        break;
      case "wait-for-retry":
        this.#start(`retry ${action.retries}`, action, (signal) => this.#wait(action, signal));
        break;
      case "cancel-retry":
        this.#running.get(`retry ${action.retries}`)?.abort();
        break;
    }
  }

  /** Tells what is gathered: to be called before anything ends the answer it belongs to. */
  flush(): void {
    this.#gatherer?.flush();
  }

  /** Stops what runs. Resolves when no tool does, so that none changes files after the turn. */
  async stop(): Promise<void> {
    for (const controller of this.#running.values()) controller.abort();
    await Promise.all(this.#tools);
  }

  /** What a call was given, as the answer of its step says now. */
  input(call: { turn_id: string; step: number; call_id: string }): JsonObject {
    return this.#callOf(call).input;
  }

  /** `invalid`: what the model wrote as the input is none; it is told, and nothing runs. */
  #callOf(named: { turn_id: string; step: number; call_id: string }): { input: JsonObject; invalid?: string } {
    const answer = this.#read((state) => entryById(state, this.#take, stepEntryId(named.turn_id, named.step)));
    const call = answer?.tool_calls?.find((each) => each.id === named.call_id);
    const wrong = call?.["invalid_input"];
    const input = call?.input ?? {};
    if (typeof wrong !== "string") return { input };
    const begin = JSON.stringify(wrong.slice(0, 200).toWellFormed());
    return { input, invalid: `The input of this call is not a JSON object, so nothing was run. It began: ${begin}` };
  }

  #start(name: string, of: OfStep, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    this.#running.set(name, controller);
    return work(controller.signal)
      .catch((error) => this.#ioFailed(of, error))
      .finally(() => {
        if (this.#running.get(name) === controller) this.#running.delete(name);
      });
  }

  async #callModel(action: Work<"call-model">, signal: AbortSignal): Promise<void> {
    const { turn_id, step, attempt, entry_id } = action;
    const { model } = this.#request;
    const work = { turn_id, step, attempt };
    const gatherer = new PartGatherer((part) => this.#tell({ kind: "model-part-received", ...work, part }));
    this.#gatherer = gatherer;
    const { content, images, sent } = this.#prepare(action.without_thinking ?? false);
    this.#tell({ kind: "request-sent", ...work, sent });
    const request = { ...content, step, tools: this.#offered() };
    this.#log({ kind: "request", ...work, model: model.name, request });
    const said = { thinking: "", text: "" };
    const end = await lastOf(model.stream({ ...request, images, signal }), (part) => {
      if (signal.aborted) return;
      const at = said[part.kind].length;
      said[part.kind] += part.text;
      gatherer.add(part);
      // Whoever watches reads along at once; what is committed is gathered first.
      if (part.text !== "") this.#request.onEvent({ type: part.kind, entry: entry_id, at, text: part.text });
    });
    gatherer.flush();
    if (signal.aborted) return;
    this.#log({ kind: "response", ...work, model: model.name, response: { ...said, end } });
    if (end.kind === "responded") {
      const { stop, calls, usage } = end;
      this.#tell({ kind: "model-responded", ...work, stop, calls, usage, at: this.#now() });
    } else {
      const { kind: _, ...failure } = end;
      this.#tell({ kind: "model-failed", ...work, ...failure, at: this.#now(), jitter: Math.random() });
    }
  }

  #prepare(withoutThinking: boolean) {
    const { model } = this.#request;
    const prepared = this.#read((state) => {
      const { input, images } = readContext(state, this.#take, this.#root);
      return { ...modelRequest(state, this.#take, { model: model.name, withoutThinking, ...input }), images };
    });
    this.prefix = prepared.projection.fingerprint;
    return prepared;
  }

  async #examine({ turn_id, step, attempt, calls }: Work<"examine-calls">): Promise<void> {
    const { tools } = this.#parts;
    this.#facts.clear();
    const examined = await Promise.all(
      calls.map(async ({ call_id, name }) => {
        const tool = tools.find((each) => each.name === name);
        const { input, invalid } = this.#callOf({ turn_id, step, call_id });
        const cannot = (problem: string) => ({ call_id, parallel: true, facts: NO_FACTS, problem });
        if (!tool) return cannot(`There is no tool ${name}. There are: ${tools.map((each) => each.name).join(", ")}.`);
        const problem = invalid ?? tool.check(input);
        if (problem !== undefined) return cannot(problem);
        try {
          const facts = await tool.examine(input, { root: this.#root, kept: this.#parts.overflow });
          this.#facts.set(call_id, facts);
          return { call_id, parallel: !facts.writes, facts };
        } catch (error) {
          return cannot(`What this call would touch could not be found out, so it was not run: ${messageOf(error)}`);
        }
      }),
    );
    const rules = this.#read((state) => setting(state, this.#take, "approval_rules"));
    this.#tell({ kind: "calls-examined", turn_id, step, attempt, calls: examined, rules, at: this.#now() });
  }

  async #ask(action: Work<"ask-approval">): Promise<void> {
    const { turn_id, step, call_id, name, entry_id: entry, notices, always } = action;
    const input = this.input({ turn_id, step, call_id });
    const question = { entry, call_id, name, input, notices, ...(always ? { always } : {}) };
    // Whoever cannot answer has not agreed.
    const decision = await this.#request.approve(question).catch(() => "deny" as const);
    this.#tell({ kind: "approval-given", turn_id, step, call_id, decision, at: this.#now() });
  }

  async #runTool(action: Work<"run-tool">, signal: AbortSignal): Promise<void> {
    const { turn_id, step, call_id } = action;
    let end: ToolEnd;
    try {
      end = await this.#runCaptured(action, signal);
    } catch (error) {
      this.#ioFailed(action, error);
      end = { outcome: "failed", content: `Not run: ${messageOf(error)}` };
    }
    this.#tell({ kind: "tool-ended", turn_id, step, call_id, ...end, at: this.#now() });
  }

  /** Runs a tool between two captures, where it may write. Throws what failed before it ran. */
  async #runCaptured(action: Work<"run-tool">, signal: AbortSignal): Promise<ToolEnd> {
    const { turn_id, step, call_id, name, entry_id } = action;
    const work = { turn_id, step, call_id };
    const { files, workspace, overflow, environment } = this.#parts;
    const tool = this.#parts.tools.find((each) => each.name === name) as Tool;
    const input = this.input(work);
    // What was approved, and not what a second look would find: a link may have been turned since.
    const { writes, paths } = this.#facts.get(call_id) ?? { writes: true, paths: [] };
    if (writes) {
      await this.#git.begun();
      await files.noteEdits(this.#request.thread, { hints: true });
    }
    this.#log({ kind: "tool-call", ...work, name, entry_id, input });
    mkdirSync(overflow, { recursive: true, mode: 0o700 });
    let said = 0;
    const place = {
      ...{ root: this.#root, kept: overflow, approved: paths, signal, environment },
      overflow: join(overflow, `${turn_id}-${step}-${call_id.replace(/[^A-Za-z0-9_-]/g, "_")}`),
      report: ({ text, ...progress }: Parameters<Parameters<Tool["run"]>[1]["report"]>[0]) => {
        if (text !== undefined)
          this.#request.onEvent({ type: "tool-output", entry: entry_id, call_id, at: said, text });
        said += text?.length ?? 0;
        if (Object.keys(progress).length > 0) this.#tell({ kind: "tool-progressed", ...work, progress });
      },
    };
    const end = await tool
      .run(input, place)
      .catch((error): ToolEnd => ({ outcome: "failed", content: messageOf(error) }));
    try {
      this.uncaptured = writes;
      // Also of a tool that failed: what it wrote is its own.
      if (writes) this.captured.set(entry_id, await workspace.capture({ hints: tool.onlyReplaces ?? false }));
      this.uncaptured = false;
      if (writes) await this.#git.wrote();
      this.#log({ kind: "tool-result", ...work, name, entry_id, outcome: end.outcome, content: end.content });
    } catch (error) {
      this.#ioFailed(action, error);
    }
    return end;
  }

  async #wait({ turn_id, step, retries, delay_ms }: Work<"wait-for-retry">, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delay_ms);
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    });
    if (!signal.aborted) this.#tell({ kind: "retry-due", turn_id, step, retries, at: this.#now() });
  }

  #offered() {
    return this.#parts.tools.map(({ name, description, input }) => ({ name, description, input }));
  }

  #ioFailed({ turn_id, step }: OfStep, error: unknown): void {
    this.#tell({ kind: "io-failed", turn_id, step, ...ioError(error), at: this.#now(), jitter: Math.random() });
  }

  #log(line: Undated): void {
    this.#parts.comms.append(this.#request.thread, { at: new Date(this.#now()).toISOString(), ...line } as CommsLine);
  }

  #read<T>(look: (state: State) => T): T {
    return this.#parts.store.read(this.#request.thread, ({ state }) => look(state));
  }

  get #root(): string {
    return Buffer.from(this.#parts.workspace.root, "latin1").toString("utf8");
  }

  #now(): number {
    return this.#parts.identity.now();
  }
}

/** Hands on the parts of an answer, and says how it ended. */
async function lastOf(stream: AsyncIterable<ModelPart | ModelEnd>, each: (part: ModelPart) => void): Promise<ModelEnd> {
  const failed = (message: string): ModelEnd => ({ kind: "failed", code: "network", message });
  try {
    for await (const part of stream) {
      if (part.kind === "responded" || part.kind === "failed") return part;
      each(part);
    }
    return failed("The model stopped in the middle of its answer.");
  } catch (error) {
    return failed(messageOf(error));
  }
}

function messageOf(error: unknown): string {
  return (error as Error).message;
}

const NO_FACTS = { writes: false, paths: [], irreversible: [] };
