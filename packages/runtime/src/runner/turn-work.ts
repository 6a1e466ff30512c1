import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  type Action,
  type AgentEvent,
  type CallFacts,
  entryById,
  type JsonObject,
  type ModelPart,
  noteSent,
  type State,
  setting,
  stepEntryId,
  type TakeId,
} from "@retake/core";
import type { Tool, ToolEnd } from "../tools/tool.ts";
import type { Captured } from "../workspace/capture/capture-engine.ts";
import type { CommsLine } from "./comms-log.ts";
import type { GitNotes } from "./git-notes.ts";
import { modelRequest } from "./model-request.ts";
import { PartGatherer } from "./part-gatherer.ts";
import { readContext } from "./read-context.ts";
import type { TurnParts, TurnRequest } from "./turn.ts";

/** A line of the communication log, before it is given its time. */
type Undated = CommsLine extends infer Line ? (Line extends CommsLine ? Omit<Line, "at"> : never) : never;

type Work<Kind extends Action["kind"]> = Extract<Action, { kind: Kind }>;

/** Does what the agent asks for, and tells what came of it as events. Decides nothing and records nothing of the turn. */
export class TurnWork {
  readonly #parts: TurnParts;
  readonly #request: TurnRequest;
  readonly #take: TakeId;
  readonly #git: GitNotes;
  readonly #tell: (event: AgentEvent) => void;
  readonly #broke: (cause: unknown) => void;
  /** Holds what the model said last. */
  #gatherer: PartGatherer | undefined;
  /** What can still be stopped, by its name. */
  readonly #running = new Map<string, AbortController>();
  /** What the calls of this step were found to touch. */
  readonly #facts = new Map<string, CallFacts>();
  /** The files after a tool, until its end is recorded. */
  readonly captured = new Map<string, Captured>();
  /** Fingerprint of the messages that were sent last. */
  prefix: string | undefined;

  constructor(
    parts: TurnParts,
    request: TurnRequest,
    own: {
      readonly take: TakeId;
      readonly git: GitNotes;
      readonly tell: (event: AgentEvent) => void;
      /** What cannot be told as an event: the outside world failed where the turn cannot do without it. */
      readonly broke: (cause: unknown) => void;
    },
  ) {
    this.#parts = parts;
    this.#request = request;
    this.#take = own.take;
    this.#git = own.git;
    this.#tell = own.tell;
    this.#broke = own.broke;
  }

  perform(action: Action): void {
    switch (action.kind) {
      case "call-model":
        this.#start(`model ${action.step} ${action.attempt}`, (signal) => this.#callModel(action, signal));
        break;
      case "cancel-model":
        this.#running.get(`model ${action.step} ${action.attempt}`)?.abort();
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
        this.#running.get(`tool ${action.call_id}`)?.abort();
        break;
      case "run-post-tools-hook": {
        const { turn_id, step, attempt } = action;
        this.#tell({ kind: "hook-finished", turn_id, step, attempt, at: this.#now() });
        break;
      }
      case "notify-retry":
        this.#request.onEvent({ type: "retry", message: action.failure.message, retry_at: action.retry_at });
        break;
      case "wait-for-retry":
        this.#start("retry", (signal) => this.#wait(action, signal));
        break;
      case "cancel-retry":
        this.#running.get("retry")?.abort();
        break;
      case "cancel-hook":
      case "finish-shutdown":
        break;
    }
  }

  /** Tells what is gathered: to be called before anything ends the answer it belongs to. */
  flush(): void {
    this.#gatherer?.flush();
  }

  stop(): void {
    for (const controller of this.#running.values()) controller.abort();
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

  #start(name: string, work: (signal: AbortSignal) => Promise<void>): void {
    const controller = new AbortController();
    this.#running.set(name, controller);
    void work(controller.signal)
      .catch(this.#broke)
      .finally(() => this.#running.delete(name));
  }

  async #callModel({ turn_id, step, attempt }: Work<"call-model">, signal: AbortSignal): Promise<void> {
    const { model } = this.#request;
    const work = { turn_id, step, attempt };
    const gatherer = new PartGatherer((part) => this.#tell({ kind: "model-part-received", ...work, part }));
    this.#gatherer = gatherer;
    // Whoever watches reads along at once; what is committed is gathered first.
    const entry = stepEntryId(turn_id, step);
    const show = (part: ModelPart, at: number) => {
      if (part.kind !== "tool-call" && part.text !== "")
        this.#request.onEvent({ type: part.kind, entry, at, text: part.text });
    };
    const failed = (code: "network", message: string) =>
      this.#tell({ kind: "model-failed", ...work, code, message, at: this.#now(), jitter: Math.random() });
    try {
      const request = this.#prepare(turn_id, step);
      const said = { thinking: "", text: "" };
      const sent = { ...request.content, step, tools: this.#offered() };
      this.#log({ kind: "request", ...work, model: model.name, request: sent });
      for await (const part of model.stream({ ...sent, images: request.images, signal })) {
        if (signal.aborted) return gatherer.flush();
        if (part.kind !== "responded" && part.kind !== "failed") {
          const at = part.kind === "tool-call" ? 0 : said[part.kind].length;
          if (part.kind !== "tool-call") said[part.kind] += part.text;
          gatherer.add(part);
          show(part, at);
          continue;
        }
        gatherer.flush();
        this.#log({ kind: "response", ...work, model: model.name, response: { ...said, end: part } });
        if (part.kind === "responded") {
          const { stop, calls, usage } = part;
          this.#tell({ kind: "model-responded", ...work, stop, calls, usage, at: this.#now() });
        } else {
          const { kind: _, ...failure } = part;
          this.#tell({ kind: "model-failed", ...work, ...failure, at: this.#now(), jitter: Math.random() });
        }
        return;
      }
      gatherer.flush();
      if (!signal.aborted) failed("network", "The model stopped in the middle of its answer.");
    } catch (error) {
      gatherer.flush();
      if (!signal.aborted) failed("network", (error as Error).message);
    }
  }

  #prepare(turn_id: string, step: number) {
    const { store, identity, workspace } = this.#parts;
    const { model, thread } = this.#request;
    const prepared = this.#read((state) => {
      const { input, images } = readContext(state, this.#take, this.#root);
      return { ...modelRequest(state, this.#take, { model: model.name, ...input }), images };
    });
    this.prefix = prepared.projection.fingerprint;
    if (step === 1) {
      const context = { ...identity.context({ kind: "system" }), take: this.#take };
      workspace.database.transaction(() =>
        store.change(thread, ({ state }) =>
          noteSent(state, context, { turn_id, discussion: prepared.sent as unknown as JsonObject }),
        ),
      );
    }
    return prepared;
  }

  async #examine({ turn_id, step, attempt, calls }: Work<"examine-calls">): Promise<void> {
    const { tools } = this.#parts;
    const work = { turn_id, step, attempt };
    try {
      const examined = await Promise.all(
        calls.map(async ({ call_id, name }) => {
          const tool = tools.find((each) => each.name === name);
          const { input, invalid } = this.#callOf({ turn_id, step, call_id });
          const problem = tool
            ? (invalid ?? tool.check(input))
            : `There is no tool ${name}. There are: ${tools.map((each) => each.name).join(", ")}.`;
          if (!tool || problem !== undefined)
            return { call_id, parallel: true, facts: NO_FACTS, problem: problem ?? "" };
          const facts = await tool.examine(input, { root: this.#root, kept: this.#parts.overflow });
          this.#facts.set(call_id, facts);
          return { call_id, parallel: !facts.writes, facts };
        }),
      );
      const rules = this.#read((state) => setting(state, this.#take, "approval_rules"));
      this.#tell({ kind: "calls-examined", ...work, calls: examined, rules, at: this.#now() });
    } catch (error) {
      const message = (error as Error).message;
      this.#tell({ kind: "examination-failed", ...work, retryable: false, message, at: this.#now(), jitter: 0 });
    }
  }

  async #ask(action: Work<"ask-approval">): Promise<void> {
    const { turn_id, step, call_id, name, entry_id: entry, notices, always } = action;
    const input = this.input({ turn_id, step, call_id });
    const question = { entry, call_id, name, input, notices, ...(always ? { always } : {}) };
    // Whoever cannot answer has not agreed.
    const decision = await this.#request.approve(question).catch(() => "deny" as const);
    this.#tell({ kind: "approval-given", turn_id, step, call_id, decision, at: this.#now() });
  }

  async #runTool({ turn_id, step, call_id, name, entry_id }: Work<"run-tool">, signal: AbortSignal): Promise<void> {
    const { files, workspace, overflow, environment } = this.#parts;
    const git = this.#git;
    const tool = this.#parts.tools.find((each) => each.name === name) as Tool;
    const work = { turn_id, step, call_id };
    const input = this.input(work);
    // What was approved, and not what a second look would find: a link may have been turned since.
    const { writes, paths } = this.#facts.get(call_id) ?? { writes: true, paths: [] };
    let end: ToolEnd;
    let said = "";
    try {
      if (writes) {
        await git.begun();
        await files.noteEdits(this.#request.thread, { hints: true });
      }
      this.#log({ kind: "tool-call", ...work, name, entry_id, input });
      mkdirSync(overflow, { recursive: true, mode: 0o700 });
      end = await tool.run(input, {
        ...{ root: this.#root, kept: overflow, approved: paths, signal, environment },
        overflow: join(overflow, `${turn_id}-${step}-${call_id.replace(/[^A-Za-z0-9_-]/g, "_")}`),
        report: ({ text, ...progress }) => {
          // A tool reports all it has said; what is new of it is told.
          if (text?.startsWith(said))
            this.#request.onEvent({
              ...{ type: "tool-output", entry: entry_id, call_id, at: said.length },
              text: text.slice(said.length),
            });
          said = text ?? said;
          if (Object.keys(progress).length > 0) this.#tell({ kind: "tool-progressed", ...work, progress });
        },
      });
      this.#log({ kind: "tool-result", ...work, name, entry_id, outcome: end.outcome, content: end.content });
    } catch (error) {
      end = { outcome: "failed", content: (error as Error).message };
    }
    // Also of a tool that failed: what it wrote is its own.
    if (writes) {
      this.captured.set(call_id, await workspace.capture({ hints: tool.onlyReplaces ?? false }));
      await git.wrote();
    }
    this.#tell({ kind: "tool-ended", ...work, ...end, at: this.#now() });
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

const NO_FACTS = { writes: false, paths: [], irreversible: [] };
