/**
 * What agents do in one workspace: turns, turns tried again, and summaries. Turns hold the workspace; a
 * summary changes the conversation alone.
 *
 * Where the conversation nears what the model can be sent, whoever watches is told, and before the next
 * turn the older part gives way to a summary, unless the setting `auto_compress` is off. That is an
 * operation like any other, and an undo takes it back.
 */
import { join } from "node:path";
import { activeTake, type History, type Operation, planRetry, type Refusal, type State, setting } from "@retake/core";
import { type Config, openConfig } from "../config/open-config.ts";
import { OfferedTools } from "../mcp/offered-tools.ts";
import { contextWindow } from "../model/context-window.ts";
import { costOf } from "../model/cost.ts";
import { knownKeys } from "../model/provider-access.ts";
import type { Store } from "../store/open-store.ts";
import type { Tool } from "../tools/tool.ts";
import { toolEnvironment } from "../tools/tool-environment.ts";
import type { Busy } from "../undo/hold-workspace.ts";
import type { AtWork, PartsAtWork } from "../undo/parts-at-work.ts";
import type { Watched } from "../undo/restore-with-commit.ts";
import type { TakenBack } from "../undo/take-back.ts";
import type { CommsLog } from "./comms-log.ts";
import type { Compressed, CompressRequest } from "./compress.ts";
import { contextUse } from "./context-use.ts";
import type { TurnRequest, TurnResult } from "./turn.ts";

/** The tools are those that are configured, unless others are given. */
export type AgentRequest = TurnRequest & { readonly tools?: readonly Tool[] };

export type RetryRequest = AgentRequest &
  Pick<Watched, "onProgress"> & {
    /** Told when the turn before is taken back and this one has begun. */
    readonly onTakenBack: (done: TakenBack) => void;
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

  constructor({ root, store, atWork }: AgentParts) {
    this.#root = root;
    this.#store = store;
    this.#atWork = atWork;
    this.#offered = new OfferedTools(root, store.directories.config);
  }

  async run(request: AgentRequest): Promise<TurnResult | Busy | Refusal> {
    const config = await openConfig(this.#store.directories.config);
    const prepared = await this.#prepare(request, config);
    await this.#makeRoom(request, prepared.parts.tools, config);
    const { runTurn } = await import("./run-turn.ts");
    return this.#atWork.hold(() => runTurn(prepared.parts, prepared.turn), request.signal);
  }

  /**
   * P3: takes the last turn back and begins another in its place, in one commit. Where that cannot be, the answer
   * says why and nothing has changed.
   */
  async retry({ onTakenBack, onProgress, ...request }: RetryRequest): Promise<TurnResult | TakenBack> {
    const { parts, turn } = await this.#prepare(request, await openConfig(this.#store.directories.config));
    const { runTurnWith } = await import("./run-turn.ts");
    const { thread, signal } = turn;
    const { actor } = this.#store;
    const { back } = this.#at(thread);
    const decide = (history: History) => {
      const planned = planRetry(history);
      return planned.kind === "retry" ? planned.plan : planned;
    };
    return this.#atWork.hold<TurnResult | TakenBack>(
      (lock) =>
        runTurnWith<TakenBack>(parts, turn, async (start) => {
          const also = ({ id }: Operation) => start(id);
          const done = await back.carryOutHeld({ thread, actor, decide, also, signal, onProgress }, lock);
          if (done.kind !== "done") return done;
          onTakenBack(done);
          return undefined;
        }),
      signal,
    );
  }

  /** B11: the older part of the conversation gives way to a summary by the model. */
  async compress(thread: string, request: Omit<CompressRequest, "tools">): Promise<Compressed> {
    const { tools } = await this.#offered.open();
    return this.#compress(thread, { ...request, tools }, await openConfig(this.#store.directories.config));
  }

  close(): Promise<void> {
    return this.#offered.close();
  }

  #at(thread: string): AtWork {
    return this.#atWork.in(this.#store.partOf(thread));
  }

  async #prepare({ tools: given, ...request }: AgentRequest, config: Config) {
    const { directories, identity } = this.#store;
    const { store, workspace, files } = this.#at(request.thread);
    workspace.useThread();
    const { tools, problems } = given ? { tools: given, problems: [] } : await this.#offered.open();
    for (const { message } of problems) request.onEvent({ type: "notice", message });
    const parts = {
      ...{ root: this.#root, workspace, files, tools, identity, store: store.threads },
      comms: await this.#comms(config),
      overflow: join(directories.state, "outputs"),
      environment: toolEnvironment(process.env),
    };
    const turn = { ...request, onEvent: this.#withWhatItTook(request, config) };
    return { parts, turn };
  }

  /** A turn's end is told with what it cost, and with a word where the context is nearly full. */
  #withWhatItTook({ thread, model, onEvent }: TurnRequest, config: Config): TurnRequest["onEvent"] {
    const window = contextWindow(model.name, config.context_windows);
    return (event) => {
      if (event.type !== "turn-finished") return onEvent(event);
      const full = window === undefined ? 0 : this.#store.read(thread, ({ state }) => fill(state, window));
      if (full >= NEARLY_FULL) onEvent({ type: "notice", message: nearlyFull(full) });
      const cost = costOf(event.usage, config.prices[model.name]);
      onEvent(cost === undefined ? event : { ...event, cost });
    };
  }

  /** Before a turn that the model might refuse for its length. Where it cannot be done, the turn is tried all the same. */
  async #makeRoom(
    { thread, model, signal, onEvent }: TurnRequest,
    tools: readonly Tool[],
    config: Config,
  ): Promise<void> {
    const window = contextWindow(model.name, config.context_windows);
    if (window === undefined) return;
    const full = this.#store.read(thread, ({ state }) =>
      setting(state, activeTake(state), "auto_compress") ? fill(state, window) : 0,
    );
    if (full < FULL) return;
    onEvent({ type: "notice", message: `The context is ${percent(full)} full: the older part is being summarised …` });
    const done = await this.#compress(thread, { model, tools, signal }, config);
    const outcome =
      done.kind === "compressed"
        ? "A summary stands for the older part of the conversation now. Take that back: retake undo"
        : `It was not summarised: ${done.message}`;
    onEvent({ type: "notice", message: outcome });
  }

  async #compress(thread: string, request: CompressRequest, config: Config): Promise<Compressed> {
    const { compress } = await import("./compress.ts");
    const store = this.#store;
    const comms = await this.#comms(config);
    return compress(
      {
        root: this.#root,
        identity: store.identity,
        read: (look) => store.read(thread, ({ state }) => look(state)),
        change: (build) => store.change(thread, build),
        log: (line) => comms.append(thread, line),
      },
      request,
    );
  }

  async #comms({ models }: Config): Promise<CommsLog> {
    const { CommsLog } = await import("./comms-log.ts");
    const { state } = this.#store.directories;
    return new CommsLog(join(state, "comms"), { ...process.env, ...knownKeys(models) });
  }
}

/** Of the context window: from where the user is told, and from where the next turn may not fit. */
const NEARLY_FULL = 0.8;
const FULL = 0.9;

function fill(state: State, window: number): number {
  return (contextUse(state, activeTake(state)) ?? 0) / window;
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}

function nearlyFull(full: number): string {
  return `The context is ${percent(full)} full. Make room: retake compress (it can be undone).`;
}
