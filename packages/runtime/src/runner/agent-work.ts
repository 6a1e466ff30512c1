/**
 * The work of agents in one workspace: turns, retries and summaries. Turns hold the workspace; a summary changes only
 * the conversation.
 *
 * When the conversation approaches the model's limit, the user is told, and before the next turn a summary replaces the
 * older part, unless the setting `auto_compress` is off. That is an operation like any other, and can be undone.
 */
import { join } from "node:path";
import {
  activeTake,
  entries,
  type History,
  isRefusal,
  type Operation,
  planRetry,
  type Refusal,
  recordsBack,
  type State,
  setting,
  staleRefusal,
  turn,
} from "@retake/core";
import { type Config, openConfig } from "../config/open-config.ts";
import { syncSecrets } from "../config/sync-secrets.ts";
import { OfferedTools } from "../mcp/offered-tools.ts";
import { costOf } from "../model/cost.ts";
import { modelFacts } from "../model/model-facts.ts";
import { knownKeys } from "../model/provider-access.ts";
import { freeTitle } from "../store/free-title.ts";
import type { Store } from "../store/open-store.ts";
import type { Confinement } from "../tools/confine/confinement.ts";
import { Confiner } from "../tools/confine/confiner.ts";
import type { Tool } from "../tools/tool.ts";
import { toolEnvironment } from "../tools/tool-environment.ts";
import { BUSY, type Busy } from "../undo/hold-workspace.ts";
import type { AtWork, PartsAtWork } from "../undo/parts-at-work.ts";
import type { ProgressOptions } from "../undo/restore-with-commit.ts";
import type { TakeBackResult } from "../undo/take-back.ts";
import type { ContextPlaces } from "./attach-context.ts";
import { Budget } from "./budget.ts";
import type { CommsLog } from "./comms-log.ts";
import type { Compressed, CompressParts, CompressRequest } from "./compress.ts";
import { contextUse } from "./context-use.ts";
import { OutsideFiles } from "./outside-files.ts";
import { outputsDirectory } from "./overflow-file.ts";
import { type ThreadCost, threadCost } from "./thread-cost.ts";
import type { TurnRequest, TurnResult } from "./turn.ts";

/** The tools are the configured ones, unless others are given. */
export type AgentRequest = TurnRequest & { readonly tools?: readonly Tool[] };

export type RetryRequest = AgentRequest &
  Pick<ProgressOptions, "onProgress"> & {
    /** Called when the previous turn is taken back and this one has begun. */
    readonly onTakenBack: (done: TakeBackResult) => void;
    /** Checked again while the workspace is held: another process may have changed the thread since it was asked for. */
    readonly expectedVersion?: number | undefined;
  };

interface AgentParts {
  readonly root: string;
  readonly store: Store;
  readonly atWork: PartsAtWork;
}

export class AgentWork {
  readonly #root: string;
  readonly #store: Store;
  readonly #atWork: PartsAtWork;
  readonly #offered: OfferedTools;
  readonly #context: ContextPlaces;
  readonly #confiner: Confiner;

  constructor({ root, store, atWork }: AgentParts) {
    this.#root = root;
    this.#store = store;
    this.#atWork = atWork;
    this.#offered = new OfferedTools(root, store);
    const { data, config, state } = store.directories;
    const { attachments } = store;
    this.#context = { root, config, outside: new OutsideFiles({ state, data }, root), attachments };
    this.#confiner = new Confiner({ root, environment: store.environment, own: [data, config, state] });
  }

  async run(request: AgentRequest): Promise<TurnResult | Busy | Refusal> {
    const config = await openConfig(this.#store.directories.config);
    const prepared = await this.#prepare(request, config);
    await this.#makeRoom(request, prepared.parts.tools, config);
    const { runTurn } = await import("./run-turn.ts");
    return this.#atWork.hold<TurnResult | Busy | Refusal>(
      async () => (request.mayBegin?.() === false ? BUSY : runTurn(prepared.parts, prepared.turn)),
      request,
    );
  }

  /**
   * P3: takes the last turn back and begins another in its place, in one commit. When that is not possible, the answer
   * says why, and nothing has changed.
   */
  async retry({
    onTakenBack,
    onProgress,
    expectedVersion,
    ...request
  }: RetryRequest): Promise<TurnResult | TakeBackResult> {
    const config = await openConfig(this.#store.directories.config);
    const { parts, turn } = await this.#prepare({ turn: this.#store.identity.id(), ...request }, config);
    const makeRoom = await this.#roomForRetry(turn, parts.tools, config);
    const { runTurnWith } = await import("./run-turn.ts");
    const { thread, signal, onWait } = turn;
    const { actor } = this.#store;
    const { back } = this.#at(thread);
    const decide = (history: History) => {
      const planned = staleRefusal(history, expectedVersion) ?? planRetry(history);
      return planned.kind === "retry" ? planned.plan : planned;
    };
    return this.#atWork.hold<TurnResult | TakeBackResult>(
      async (lock) =>
        runTurnWith<TakeBackResult>(parts, turn, async (start) => {
          if (turn.mayBegin?.() === false) return BUSY;
          const also = ({ id }: Operation) => {
            start(id);
            makeRoom?.();
          };
          const done = await back.carryOutHeld({ thread, actor, decide, also, signal, onProgress }, lock);
          if (done.kind !== "done") return done;
          onTakenBack(done);
          return undefined;
        }),
      { signal, onWait },
    );
  }

  /** B11: replaces the older part of the conversation by a summary of the model. */
  async compress(thread: string, request: Omit<CompressRequest, "tools">): Promise<Compressed> {
    const config = await openConfig(this.#store.directories.config);
    const { tools: own } = await this.#offered.open(request.signal);
    const tools = await this.#withHelper(own, { thread, model: request.model, mode: undefined }, config);
    return this.#compress(thread, { ...request, tools }, config);
  }

  confinement(): Promise<Confinement> {
    return this.#confiner.find();
  }

  async close(): Promise<void> {
    this.#confiner.close();
    await this.#offered.close();
  }

  #at(thread: string): AtWork {
    return this.#atWork.in(this.#store.partOf(thread));
  }

  async #prepare({ tools: given, ...request }: AgentRequest, config: Config) {
    const { directories, identity } = this.#store;
    const { store, workspace, files } = this.#at(request.thread);
    workspace.useThread();
    const { tools, problems } = given ? { tools: given, problems: [] } : await this.#offered.open(request.signal);
    const budget = this.#budgetOf(request, config);
    for (const { message } of problems) request.onEvent({ type: "notice", message });
    const parts = {
      root: this.#root,
      workspace,
      files,
      tools: given ?? (await this.#withHelper(tools, request, config, budget)),
      identity,
      store: store.threads,
      comms: await this.#comms(config),
      context: this.#context,
      facts: modelFacts(request.model.name, config),
      overflow: outputsDirectory(directories.state),
      environment: toolEnvironment(this.#store.environment, config.tool_environment),
      approvals: this.#store.approvals,
      confiner: this.#confiner,
      budget,
      titles: { byModel: config.agent.titles !== false, free: (title: string) => this.#freeTitle(title) },
    };
    const notice = parts.budget.notice(request.model.name);
    if (notice !== undefined) request.onEvent({ type: "notice", message: notice });
    const turn = { ...request, onEvent: this.#withWhatItTook(request, config) };
    return { parts, turn };
  }

  /** The tools and the one that gives tasks to a helper, which has all others. */
  async #withHelper(
    tools: readonly Tool[],
    { thread, model, mode }: Pick<TurnRequest, "thread" | "model" | "mode">,
    config: Config,
    budget = this.#budgetOf({ thread, model }, config),
  ): Promise<readonly Tool[]> {
    const { subAgent } = await import("./sub-agent.ts");
    const facts = modelFacts(model.name, config);
    const { approvals, identity } = this.#store;
    const chance = () => identity.chance();
    return [...tools, subAgent({ model, mode, tools, facts, budget, approvals, chance })];
  }

  /** The thread's own budget comes before the configured one. */
  #budgetOf({ thread, model }: Pick<TurnRequest, "thread" | "model">, config: Config): Budget {
    const own = this.#store.read(thread, ({ state }) => setting(state, activeTake(state), "budget"));
    const { price } = modelFacts(model.name, config);
    const { budget: usual = 0 } = config.agent;
    const before = () => costBefore(threadCost(this.#store, thread, config));
    return new Budget(own || usual, price, before, usual || own);
  }

  #freeTitle(wanted: string): string {
    return freeTitle({ threads: () => this.#store.threads(this.#root) }, wanted);
  }

  /** Adds the cost to the end of a turn, and a notice when the context is nearly full. */
  #withWhatItTook({ thread, model, onEvent }: TurnRequest, config: Config): TurnRequest["onEvent"] {
    const { context_window: window, price } = modelFacts(model.name, config);
    return (event) => {
      if (event.type !== "turn-finished") return onEvent(event);
      const full = window === undefined ? 0 : this.#store.read(thread, ({ state }) => fill(state, window));
      if (full >= NEARLY_FULL) onEvent({ type: "notice", message: nearlyFull(full) });
      const cost = costOf(event.usage, price);
      onEvent(cost === undefined ? event : { ...event, cost });
    };
  }

  /** Runs before a turn that may be too long for the model. When it fails, the turn is tried anyway. */
  async #makeRoom(
    { thread, model, signal, onEvent }: TurnRequest,
    tools: readonly Tool[],
    config: Config,
  ): Promise<void> {
    const { context_window: window } = modelFacts(model.name, config);
    if (window === undefined) return;
    const full = this.#store.read(thread, ({ state }) =>
      setting(state, activeTake(state), "auto_compress") ? fill(state, window) : 0,
    );
    if (full < FULL) return;
    onEvent({ type: "notice", message: `The context is ${percent(full)} full: the older part is being summarised …` });
    const done = await this.#compress(thread, { model, tools, signal, automatic: true }, config);
    const outcome =
      done.kind === "compressed"
        ? "A summary stands for the older part of the conversation now. Take that back: retake undo"
        : `It was not summarised: ${done.message}`;
    onEvent({ type: "notice", message: outcome });
  }

  /**
   * The same before a retry, for what stands before the turn that is taken back: another model may have less room. The summary is
   * made first; the function that is returned puts it in place as a part of the new turn, in the commit that begins it.
   */
  async #roomForRetry(
    { thread, turn, model, signal, onEvent }: TurnRequest,
    tools: readonly Tool[],
    config: Config,
  ): Promise<(() => void) | undefined> {
    const { context_window: window } = modelFacts(model.name, config);
    const before =
      window === undefined ? undefined : this.#store.read(thread, ({ state }) => fullBefore(state, window));
    if (before === undefined || turn === undefined) return undefined;
    onEvent({ type: "notice", message: `The context is ${percent(before.full)} full: it is being summarised …` });
    const { summarise } = await import("./compress.ts");
    const request = { model, tools, signal, automatic: true, before: before.prompt };
    const made = await summarise(await this.#compressing(thread, request, config), request);
    if (made.kind !== "summarised") {
      onEvent({ type: "notice", message: `It was not summarised: ${made.message}` });
      return undefined;
    }
    return () => {
      const done = this.#store.change(thread, (state, context) => made.build(state, context, turn));
      if (isRefusal(done)) onEvent({ type: "notice", message: `It was not summarised: ${done.message}` });
    };
  }

  async #compress(thread: string, request: CompressRequest, config: Config): Promise<Compressed> {
    const { compress } = await import("./compress.ts");
    const parts = await this.#compressing(thread, request, config);
    return compress({ ...parts, change: (build) => this.#store.change(thread, build) }, request);
  }

  async #compressing(thread: string, { model }: CompressRequest, config: Config): Promise<CompressParts> {
    const store = this.#store;
    const comms = await this.#comms(config);
    return {
      context: this.#context,
      facts: modelFacts(model.name, config),
      identity: store.identity,
      read: (look) => store.read(thread, ({ state }) => look(state)),
      log: (line) => comms.append(thread, line),
    };
  }

  async #comms({ models }: Config): Promise<CommsLog> {
    const { CommsLog } = await import("./comms-log.ts");
    const { state, config } = this.#store.directories;
    const keys = { ...knownKeys(models), ...syncSecrets(config) };
    return new CommsLog(join(state, "comms"), { ...this.#store.environment, ...keys });
  }
}

/** A thread that has used nothing yet has cost nothing. */
function costBefore({ cost, models }: ThreadCost): number | undefined {
  return models.length === 0 ? 0 : cost;
}

/** Parts of the context window: above the first the user is told, above the second the next turn may not fit. */
const NEARLY_FULL = 0.8;
const FULL = 0.9;

function fill(state: State, window: number): number {
  return contextUse(entries(state, activeTake(state))) / window;
}

/** How full the context is before the last turn, and the prompt of that turn; undefined where nothing has to be done. */
function fullBefore(state: State, window: number): { readonly full: number; readonly prompt: string } | undefined {
  const take = activeTake(state);
  const [last] = recordsBack(state, take, "turn");
  const prompt = last && turn(state, take, last[0])?.prompt_entry;
  if (prompt === undefined || !setting(state, take, "auto_compress")) return undefined;
  const all = [...entries(state, take)];
  const before = all.slice(
    0,
    all.findIndex(({ id }) => id === prompt),
  );
  const full = contextUse(before) / window;
  return full < FULL ? undefined : { full, prompt };
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}

function nearlyFull(full: number): string {
  return `The context is ${percent(full)} full. Make room: retake compress (it can be undone).`;
}
