/**
 * Runs one turn: passes events to core's agent, commits the operations it decides on, and then carries out its actions,
 * whose results are the next events.
 *
 *     event ─▶ transition (core) ─▶ COMMIT state and records ─▶ actions ─▶ events …
 *                  ▲                        │
 *                  └─ io-failed, event ─────┘ where that fails
 *
 * A failed commit or capture is an event too; the event it failed for is given again after it. When even that cannot be
 * committed, the turn is abandoned with the error: its tools are stopped, and the next holder of the workspace ends it
 * as one whose process is gone (`recover-turn.ts`).
 *
 * Events are handled one at a time. Streaming text is collected for a moment before it becomes an event, so that an
 * answer needs dozens of commits and not thousands. Files are captured before and after every tool that may write:
 * changes by a tool belong to the turn, other changes to the user.
 */
import {
  type AgentEvent,
  type AgentOutcome,
  type AgentState,
  type Attachment,
  activeTake,
  attachedTo,
  entries,
  IDLE_AGENT,
  isRecordEffect,
  type OperationId,
  promptEntryId,
  type RecordEffect,
  type RecordFacts,
  type Refusal,
  type State,
  type TakeId,
  transition,
  turn,
  turnName,
} from "@retake/core";
import type { Captured } from "@retake/workspace";
import { RefusedError } from "../undo/thread-files.ts";
import { attachContext, attachedContents, outsideNotices } from "./attach-context.ts";
import { callFiles, coveredBy } from "./call-files.ts";
import { commitRecords } from "./commit-records.ts";
import { GitNotes } from "./git-notes.ts";
import { ioError } from "./io-error.ts";
import { sha256 } from "./model-request.ts";
import { nameThread, titleByPrompt } from "./name-thread.ts";
import { type EnvironmentFacts, readEnvironment } from "./read-environment.ts";
import { SHUTDOWN, type TurnEvent, type TurnParts, type TurnRequest, type TurnResult } from "./turn.ts";
import { TurnAccess } from "./turn-access.ts";
import { TurnWork } from "./turn-work.ts";

export async function runTurn(parts: TurnParts, request: TurnRequest): Promise<TurnResult | Refusal> {
  return new TurnRun(parts, request).run<never>(async (start) => {
    await parts.files.beginTurn(request.thread, start);
    return undefined;
  });
}

/** Runs a turn whose start is committed together with something else. When it cannot start, `begin` says why. */
export async function runTurnWith<Not>(
  parts: TurnParts,
  request: TurnRequest,
  begin: Begin<Not>,
): Promise<TurnResult | Refusal | Not> {
  return new TurnRun(parts, request).run(begin);
}

/**
 * Must call `start` in its own transaction when the turn may begin; for a retry, with the operation that took back the
 * previous turn.
 */
export type Begin<Not> = (start: (retries?: OperationId) => void) => Promise<Not | undefined>;

/** The files at the end of a turn. `background`: those with the last changes of commands in the background. */
type LastFiles = Pick<RecordFacts, "last"> & { readonly background?: Captured };

/** How many milliseconds the end of a first turn waits for the title. */
const TITLE_PATIENCE = 3000;

class TurnRun {
  readonly #parts: TurnParts;
  readonly #request: TurnRequest;
  readonly #turn: string;
  readonly #take: TakeId;
  readonly #git: GitNotes;
  readonly #access: TurnAccess;
  readonly #work: TurnWork;
  readonly #queue: AgentEvent[] = [];
  #agent: AgentState = IDLE_AGENT;
  #wake: () => void = () => {};
  #result: TurnResult | undefined;
  /** The results of calls that run. */
  readonly #started = new Set<string>();
  /** Events that could not be committed and were given again. */
  readonly #again = new WeakSet<AgentEvent>();
  #watcherFailed = false;
  /** The title that the model makes for a new thread, while the turn runs. */
  #title: { readonly done: Promise<void>; readonly stop: AbortController } | undefined;

  constructor(parts: TurnParts, request: TurnRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#turn = request.turn ?? parts.identity.id();
    this.#take = parts.store.read(request.thread, ({ state }) => activeTake(state));
    const watched = { ...request, onEvent: (event: TurnEvent) => this.#watch(event) };
    const access = new TurnAccess(parts, watched, this.#take, (event) => this.#push(event));
    this.#access = access;
    this.#git = new GitNotes(parts, { root: access.root, thread: request.thread, take: this.#take });
    this.#work = new TurnWork(access, this.#git, this.#turn);
  }

  async run<Not>(begin: Begin<Not>): Promise<TurnResult | Refusal | Not> {
    const { signal } = this.#request;
    const interrupt = () => {
      this.#work.models.flush();
      const at = this.#parts.identity.now();
      if (signal.reason === SHUTDOWN) this.#push({ kind: "shutdown-requested", at });
      else this.#push({ kind: "interrupt-requested", turn_id: this.#turn, at });
    };
    if (signal.aborted) interrupt();
    signal.addEventListener("abort", interrupt);
    try {
      const started = this.#start();
      const environment = await this.#environment();
      const not = await begin((retries) => {
        const attached = new Map([[promptEntryId(this.#turn), this.#attach(environment)]]);
        const title = this.#read((state) => titleByPrompt(state, this.#request.prompt, this.#parts));
        const facts = { attached, ...(title === undefined ? {} : { title }) };
        this.#commit(started, retries === undefined ? facts : { ...facts, retries });
      }).catch(refusalOf);
      if (not !== undefined) return not;
      this.#git.begin();
      this.#nameThread();
      this.#tellOutside();
      this.#act(started);
      while (!this.#result) await this.#handle(await this.#next());
      await this.#git.finish().catch((error: Error) => {
        this.#watch({ type: "notice", message: `The state of git was not recorded: ${error.message}` });
      });
      return this.#result;
    } finally {
      signal.removeEventListener("abort", interrupt);
      await this.#work.stop();
    }
  }

  #nameThread(): void {
    const stop = new AbortController();
    const done = nameThread(this.#access, this.#turn, stop.signal).catch((error: Error) => {
      this.#watch({ type: "notice", message: `The thread got no title: ${error.message}` });
    });
    this.#title = { done, stop };
  }

  /** The end of a turn waits a moment for the title, which is part of it. */
  async #named(): Promise<void> {
    const { done, stop } = this.#title ?? {};
    const timer = setTimeout(() => stop?.abort(), this.#request.signal.aborted ? 0 : TITLE_PATIENCE);
    await done;
    clearTimeout(timer);
  }

  #start(): AgentOutcome {
    const { prompt, model } = this.#request;
    const at = this.#parts.identity.now();
    const submitted = { turn_id: this.#turn, prompt, model: model.name, at };
    return transition(IDLE_AGENT, { kind: "prompt-submitted", ...submitted });
  }

  #environment(): Promise<EnvironmentFacts> {
    const { identity, context, environment } = this.#parts;
    const gitText = this.#read((state) => {
      const contents = attachedContents(state, this.#take, context);
      const shown = attachedTo([...entries(state, this.#take)], contents).get("environment git");
      return shown && context.attachments.text(shown.digest);
    });
    const { name: model } = this.#request.model;
    const place = { root: context.root, model, now: identity.now(), gitText };
    return readEnvironment(place, { environment, signal: this.#request.signal });
  }

  #attach(environment: EnvironmentFacts): readonly Attachment[] {
    return this.#read((state) => attachContext(state, this.#take, environment, this.#parts.context));
  }

  #tellOutside(): void {
    const { outside } = this.#parts.context;
    for (const message of this.#read((state) => outsideNotices(state, this.#take, outside)))
      this.#watch({ type: "notice", message });
  }

  #read<T>(look: (state: State) => T): T {
    return this.#parts.store.read(this.#request.thread, ({ state }) => look(state));
  }

  #watch(event: TurnEvent): void {
    this.#watched(() => this.#request.onEvent(event));
  }

  /** A watcher that throws gets nothing more, and the turn ends as failed. */
  #watched(tell: () => void): void {
    if (this.#watcherFailed) return;
    try {
      tell();
    } catch (error) {
      this.#watcherFailed = true;
      if (!("turn" in this.#agent)) throw error;
      this.#work.models.flush();
      this.#push(this.#ioFailed(error));
    }
  }

  #ioFailed(error: unknown): AgentEvent {
    const { step } = "turn" in this.#agent ? this.#agent.turn : { step: 0 };
    const at = this.#parts.identity.now();
    return {
      kind: "io-failed",
      turn_id: this.#turn,
      step,
      ...ioError(error),
      at,
      jitter: this.#parts.identity.chance(),
    };
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
    try {
      const finished = outcome.effects.find((effect) => effect.kind === "record-turn-finished");
      if (finished) await this.#named();
      const end = finished ? await this.#lastFiles(outcome, finished.failure?.origin === "io") : {};
      this.#commit(outcome, end);
    } catch (error) {
      if (event.kind === "io-failed" || this.#again.has(event)) throw error;
      // Given again after the failure, because a tool reports its end only once.
      this.#again.add(event);
      this.#queue.unshift(this.#ioFailed(error), event);
      return;
    }
    this.#act(outcome);
  }

  /** `optional`: the turn ends because the outside world failed, so this capture may fail too. */
  async #lastFiles({ effects }: AgentOutcome, optional: boolean): Promise<LastFiles> {
    const { files, workspace } = this.#parts;
    const { captured, uncaptured, background } = this.#work.tools;
    // Nothing of a turn runs on after it, so that no file changes after its last capture.
    await background.commands.endAll();
    if (uncaptured || background.isOpen) {
      const own = await workspace.capture();
      const covered = coveredBy(own);
      // The changes of the last tool are in no capture yet: they belong to the turn, not to the user.
      return uncaptured ? { last: { covered, tree: own.id } } : { last: { covered }, background: own };
    }
    // Changes since the last tool were not made by the agent; when that tool ends only now, there are none.
    const ended = effects.flatMap((effect) => (effect.kind === "record-tool-ended" ? [effect.entry_id] : []));
    const after = ended.map((entry) => captured.get(entry)).findLast((each) => each !== undefined);
    if (after) return { last: { covered: coveredBy(after) } };
    try {
      return { last: { covered: coveredBy(await files.noteEdits(this.#request.thread)) } };
    } catch (error) {
      if (optional) return {};
      throw error;
    }
  }

  /** Reports what was recorded, and then carries out the actions. */
  #act({ state, effects }: AgentOutcome): void {
    this.#agent = state;
    for (const effect of effects) if (isRecordEffect(effect)) this.#tell(effect);
    this.#watched(() => this.#request.onCommit?.());
    for (const effect of effects) if (!isRecordEffect(effect)) this.#work.perform(effect);
  }

  #commit(
    { state: agent, effects }: AgentOutcome,
    { background: lastFiles, ...more }: LastFiles & Pick<RecordFacts, "retries" | "title" | "attached">,
  ): void {
    const { thread, model } = this.#request;
    const { prefix } = this.#work.models;
    const { captured, attached, background } = this.#work.tools;
    const records = effects.filter(isRecordEffect);
    const calls = new Map<string, ReturnType<typeof callFiles>>();
    for (const record of records) {
      if (record.kind !== "record-tool-ended") continue;
      const after = captured.get(record.entry_id);
      if (after) calls.set(record.entry_id, callFiles(after));
    }
    const facts = { agent, hash: sha256, calls, attached, ...(prefix === undefined ? {} : { prefix }), ...more };
    const context = () => this.#parts.identity.context({ kind: "agent", name: model.name });
    const commit = (some: readonly RecordEffect[]) =>
      commitRecords(this.#parts, { thread, take: this.#take }, some, facts, context);
    const ends = records.filter(({ kind }) => kind === "record-turn-finished");
    this.#parts.workspace.database.transaction(() => {
      commit(records.filter((record) => !ends.includes(record)));
      if (ends.length > 0 && background.isOpen) background.recordEnd(lastFiles);
      commit(ends);
    });
    if (ends.length > 0) background.close();
    for (const record of records) if (record.kind === "record-tool-ended") this.#work.tools.recorded(record.entry_id);
  }

  #tell(record: RecordEffect): void {
    const event = this.#eventOf(record);
    if (!event) return;
    if (event.type === "turn-finished") this.#result = event;
    this.#watch(event);
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
        const input = this.#work.tools.input(record);
        this.#started.add(entry);
        return { type: "tool-started", entry, call_id, name, input, notices };
      }
      case "record-tool-ended": {
        const { entry_id: entry, call_id, name, outcome: status, content } = record;
        const input = this.#started.delete(entry) ? {} : { input: this.#work.tools.input(record) };
        return { type: "tool-ended", entry, call_id, name, ...input, status, content };
      }
      case "record-turn-finished": {
        const { turn_id, status, usage } = record;
        const failure = record.failure ? { failure: { ...record.failure } } : {};
        const kept = this.#parts.store.read(thread_id, ({ state }) => turn(state, this.#take, turn_id));
        const receipt = kept?.receipt ? { receipt: kept.receipt } : {};
        const named = kept ? { turn_name: turnName(kept.number) } : {};
        return { type: "turn-finished", thread_id, turn_id, ...named, status, usage, ...failure, ...receipt };
      }
      default:
        return undefined;
    }
  }
}

/** Before the turn has begun, a refusal is an answer and no failure. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  throw error;
}
