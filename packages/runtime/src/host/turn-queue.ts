/**
 * Turns in the background. A turn is accepted, given its id, and runs when the thread and its workspace are free; the
 * caller follows its events. Approvals are answered by the id of the call.
 *
 *   submit ─▶ queued ─▶ (workspace free) running ⇄ waiting for approval ─▶ finished
 *              │ └─ interrupt ─▶ not started               └─ broken off ─▶ ended as interrupted
 *              └─ the process ends ─▶ paused ─ continue ─▶ queued again, in any process
 *
 * A retry is a turn whose beginning takes the last one back, in one commit; it is answered when that is done.
 *
 * All events of a turn go into the feed's one log, which is kept from the turn's beginning for its readers.
 */
import { isRefusal, planRetry, type Refusal, refuse, staleRefusal } from "@retake/core";
import type { QueuedTurn } from "../answers/turns-answer.ts";
import type { Feed } from "../events/feed.ts";
import { chosenModel } from "../model/chosen-model.ts";
import { pause } from "../model/pause.ts";
import type { ModelSettings } from "../model/provider-access.ts";
import { type ApprovalAnswer, type ApprovalQuestion, SHUTDOWN, type TurnEvent } from "../runner/turn.ts";
import type { TakeBackResult } from "../undo/take-back.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import {
  AGENT_RUNS,
  failureOf,
  INTERRUPTED,
  IS_PAUSED,
  NO_QUESTION,
  NOT_WAITING,
  NOTHING_PAUSED,
  type NotStarted,
  PAUSED,
  REMOVED,
  RESET,
  WAITED,
  whyNot,
} from "./not-started.ts";
import { openChosenModel } from "./open-chosen-model.ts";
import type { OpenWorkspaces } from "./open-workspaces.ts";
import { type QueueStore, StoredQueue } from "./stored-queue.ts";
import { tellProgress } from "./tell-progress.ts";
import { TurnNews } from "./turn-news.ts";
import type { TurnRegister } from "./turn-register.ts";
import { type PausedInput, type QueuedChange, type TurnInput, WaitingTurn } from "./waiting-turn.ts";

/** How long to wait before looking again whether another process has left the workspace. */
const BUSY_WAIT = 250;
/** The number of turns that were not started and are still listed. */
const REMEMBERED = 100;
/** The time that a turn can be followed after its end: the caller of a short one may not have begun to. */
const STAYS = 10_000;

export interface TurnQueueParts {
  readonly store: QueueStore;
  readonly workspaces: OpenWorkspaces;
  readonly feed: Feed;
  readonly register: TurnRegister;
  readonly models: () => Promise<ModelSettings>;
  readonly newId: () => string;
}

export class TurnQueue {
  readonly #parts: TurnQueueParts;
  readonly #stored: StoredQueue;
  readonly #news: TurnNews;
  readonly #turns = new Map<string, WaitingTurn>();
  readonly #lines = new Map<string, Promise<void>>();
  /** The threads of the turns that can be followed. */
  readonly #followed = new Map<string, string>();
  #closed = false;

  constructor(parts: TurnQueueParts) {
    this.#parts = parts;
    this.#stored = new StoredQueue(parts.store);
    this.#news = new TurnNews(parts.feed);
  }

  /** Accepts a turn, or says why not before anything has changed. */
  async submit(input: TurnInput): Promise<QueuedTurn | Refusal> {
    const turn = await this.#accept(input);
    return isRefusal(turn) ? turn : turn.summary();
  }

  /** Queues the paused prompts of a thread again, in their order, or one of them. Those that are refused stay paused. */
  async continuePaused({ thread, root, turn }: PausedInput): Promise<QueuedTurn[] | Refusal> {
    const paused = this.#stored.paused(thread).filter((each) => turn === undefined || each.turn === turn);
    const queued: QueuedTurn[] = [];
    for (const { turn: before, request } of paused) {
      const { prompt, mode, questions } = request;
      const model = request.isNamed ? request.model : undefined;
      const next = await this.#accept({ thread, root, prompt, model, mode, questions }, { before });
      if (isRefusal(next)) return queued.length > 0 ? queued : next;
      queued.push(next.summary());
    }
    return queued.length > 0 ? queued : NOTHING_PAUSED;
  }

  /** Takes the last turn back and begins another in its place, with the same prompt and model unless others are named. */
  async retry(input: Omit<TurnInput, "prompt"> & { readonly prompt?: string | undefined }): Promise<Retried> {
    const plan = this.#parts.store.read(input.thread, (history) => planRetry(history));
    if (plan.kind === "refused") return plan;
    if (this.of(input.thread).some(({ status }) => status === "queued" || status === "running")) return AGENT_RUNS;
    const { prompt = plan.prompt, model = plan.model } = input;
    const turn = await this.#accept({ ...input, prompt, model }, { retries: true });
    if (isRefusal(turn)) return turn;
    const begun = await turn.begun;
    return { kind: "tried", turn: turn.summary(), begun };
  }

  /** With `before`, in place of a paused prompt. */
  async #accept(
    input: TurnInput,
    { retries = false, before }: { readonly retries?: boolean; readonly before?: string } = {},
  ): Promise<WaitingTurn | Refusal> {
    const { feed, store, newId, register } = this.#parts;
    if (input.prompt.trim() === "") return refuse("invalid-input", "The prompt is empty. Nothing was started.");
    if (this.#closed) return refuse("agent-running", "The server is ending. Nothing was started.");
    const models = await this.#parts.models();
    const name = store.read(
      input.thread,
      (history) => staleRefusal(history, input.expectedVersion) ?? chosenModel(history.state, input.model, models),
    );
    if (typeof name !== "string") return name;
    const model = await openChosenModel(name, models);
    if (isRefusal(model)) return model;
    const turn = new WaitingTurn(newId(), input, model, retries);
    turn.registration = register.add(input.root, { turn: turn.id, thread: input.thread }, () => {
      void this.interrupt(input.thread, turn.id);
    });
    try {
      if (turn.isStored && !this.#stored.add(turn, before)) {
        turn.release();
        return NOTHING_PAUSED;
      }
    } catch (error) {
      turn.release();
      throw error;
    }
    if (before !== undefined) this.#news.say({ input, id: before }, { type: "turn-not-started", ...REMOVED });
    this.#limitWait(turn);
    this.#turns.set(turn.id, turn);
    this.#followed.set(turn.id, input.thread);
    feed.beginTurn(turn.id);
    this.#news.say(turn, { type: "turn-queued", prompt: input.prompt, model: model.name });
    const line = this.#lines.get(input.thread) ?? Promise.resolve();
    if (this.#lines.has(input.thread)) this.#news.sayItWaits(turn);
    const next = line.then(() => this.#run(turn));
    this.#lines.set(input.thread, next);
    void next.finally(() => {
      if (this.#lines.get(input.thread) === next) this.#lines.delete(input.thread);
    });
    return turn;
  }

  /** The turns of a thread that wait, run, or were not started, in the order in which they were asked for; paused ones first. */
  of(thread: string): QueuedTurn[] {
    const here = [...this.#turns.values()].filter((turn) => turn.input.thread === thread);
    const others = this.#stored.of(thread).filter(({ id }) => !this.#turns.has(id));
    return [...others.map((each) => ({ ...each, thread })), ...here.map((turn) => turn.summary())];
  }

  /** Whether a turn can be followed: it waits or runs here, or did so a moment ago. */
  canFollow(thread: string, id: string): boolean {
    return this.#followed.get(id) === thread;
  }

  /** Whether a turn of this thread runs in this process. */
  runs(thread: string): boolean {
    return [...this.#turns.values()].some((turn) => turn.input.thread === thread && turn.status === "running");
  }

  /** Ends a turn that waits or runs, and resolves when it has ended; undefined when there is none of that id. */
  async interrupt(thread: string, id: string): Promise<QueuedTurn | undefined> {
    const turn = this.#turns.get(id);
    if (!turn || turn.input.thread !== thread || (turn.status !== "queued" && turn.status !== "running"))
      return undefined;
    await this.#withdraw(turn, INTERRUPTED);
    return turn.summary();
  }

  async #withdraw(turn: WaitingTurn, why: NotStarted): Promise<void> {
    turn.withdrawal = why;
    turn.controller.abort();
    // A turn that has entered the gate may still begin: its outcome is known when it has ended.
    if (turn.entered) await turn.ended;
    else this.#notStarted(turn, why);
  }

  /** Changes a queued turn. Its place stays, because turns are listed in the order of their ids. */
  async changeQueued(thread: string, id: string, change: QueuedChange): Promise<QueuedTurn | Refusal> {
    const waiting = this.#waiting(thread, id);
    if (isRefusal(waiting)) return waiting;
    const { prompt = waiting.input.prompt } = change;
    if (prompt.trim() === "") return refuse("invalid-input", "The prompt is empty. Nothing was changed.");
    const model =
      change.model === undefined ? waiting.model : await openChosenModel(change.model, await this.#parts.models());
    if (isRefusal(model)) return model;
    // It may have begun while the model was opened.
    const turn = this.#waiting(thread, id);
    if (isRefusal(turn)) return turn;
    turn.input = { ...turn.input, prompt, model: change.model ?? turn.input.model };
    turn.model = model;
    if (turn.isStored) this.#stored.change(turn);
    this.#news.say(turn, { type: "turn-queued", prompt, model: model.name });
    return turn.summary();
  }

  /** Takes a turn that waits or is paused out of the queue. */
  removeQueued(thread: string, id: string): QueuedTurn | Refusal {
    const paused = this.#stored.paused(thread).find((each) => each.turn === id);
    if (paused && this.#stored.removePaused(paused)) {
      this.#news.say({ id, input: { thread } }, { type: "turn-not-started", ...REMOVED });
      const { prompt, model } = paused.request;
      return { id, thread, prompt, model, status: "not-started", failure: REMOVED };
    }
    const turn = this.#waiting(thread, id);
    if (isRefusal(turn)) return turn;
    turn.controller.abort();
    this.#notStarted(turn, REMOVED);
    this.#turns.delete(id);
    return turn.summary();
  }

  #waiting(thread: string, id: string): WaitingTurn | Refusal {
    const turn = this.#turns.get(id);
    if (!turn || turn.input.thread !== thread || turn.status === "not-started")
      return this.#stored.paused(thread).some((each) => each.turn === id) ? IS_PAUSED : NOT_WAITING;
    if (turn.status === "queued" && !turn.entered) return turn;
    return refuse("agent-running", "The turn has begun. Nothing was changed; interrupting it ends it.");
  }

  /** Answers a question. Returns it, or a refusal if no such question waits. */
  decide(thread: string, id: string, call: string, answer: ApprovalAnswer): ApprovalQuestion | Refusal {
    const turn = this.#turns.get(id);
    if (turn?.input.thread !== thread) return NO_QUESTION;
    const question = turn.answer(call, answer);
    if (isRefusal(question)) return question;
    const decision = typeof answer === "string" ? answer : "deny";
    this.#news.say(turn, { type: "approval-given", entry: question.entry, call_id: call, decision });
    return question;
  }

  /** Asks the model again at once where a turn waits for its next try. */
  tryNow(thread: string, id: string): QueuedTurn | Refusal {
    const turn = this.#turns.get(id);
    if (!turn?.tryNow || turn.input.thread !== thread)
      return refuse("not-found", "No turn of that id waits for its next try here. Nothing was changed.");
    turn.tryNow();
    return turn.summary();
  }

  /** A reset cleared the queue: the prompts that wait are not begun, and come back paused when the reset is undone. */
  clearWaiting(thread: string): void {
    for (const turn of this.#turns.values()) {
      if (turn.input.thread !== thread || !turn.isStored || turn.status !== "queued" || turn.entered) continue;
      turn.controller.abort();
      this.#notStarted(turn, RESET);
    }
  }

  /** Ends every turn cleanly: prompts that wait are paused, the work of running turns is committed, and their tools are stopped. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const turn of this.#turns.values()) {
      if (turn.isStored && turn.status === "queued") turn.withdrawal = PAUSED;
      turn.controller.abort(SHUTDOWN);
    }
    await Promise.allSettled(this.#lines.values());
  }

  async #run(turn: WaitingTurn): Promise<void> {
    if (turn.status === "not-started") return;
    try {
      await this.#parts.workspaces.use(turn.input.root, ({ workspace, gate }) => {
        if (gate.turnRuns) this.#news.sayItWaits(turn);
        return gate.turn((over) =>
          this.#runIn(turn, workspace, over).catch((error) => this.#brokeOff(turn, workspace, error)),
        );
      });
    } catch (error) {
      // Tells the callers that wait for a retry to begin.
      turn.cannotBegin(error);
      this.#notStarted(turn, failureOf(error));
    }
  }

  async #runIn(turn: WaitingTurn, workspace: Workspace, over: () => void): Promise<void> {
    const { feed } = this.#parts;
    const { thread, root, prompt, mode, questions, expectedVersion } = turn.input;
    turn.enter();
    const onProgress = tellProgress(feed, thread, root);
    for (;;) {
      if (!turn.isWanted()) return this.#notStarted(turn, turn.withdrawal ?? INTERRUPTED);
      const request = {
        thread,
        turn: turn.id,
        prompt,
        model: turn.model,
        mode,
        questions,
        mayBegin: () => turn.mayBegin(),
        onWait: () => {
          this.#news.sayItWaits(turn);
          this.#limitWait(turn);
        },
        onRetryWait: (tryNow: (() => void) | undefined) => {
          turn.tryNow = tryNow;
          if (!tryNow) turn.retry = undefined;
        },
        approve: (question: ApprovalQuestion) => this.#ask(turn, question),
        onEvent: (event: TurnEvent) => {
          if (event.type === "turn-finished") over();
          this.#news.tell(turn, event);
        },
        onCommit: () => feed.look(),
        signal: turn.controller.signal,
      };
      const result = turn.retries
        ? await workspace.retry({ ...request, onProgress, expectedVersion, onTakenBack: (done) => turn.begin(done) })
        : await workspace.run(request);
      feed.look();
      if (!("kind" in result)) return this.#ended(turn);
      if (result.kind !== "busy") {
        turn.begin(result);
        return this.#notStarted(turn, whyNot(result));
      }
      // Another process works in the directory: the turn waits for it, as it would for one of ours.
      await pause(BUSY_WAIT, turn.controller.signal);
    }
  }

  /**
   * A turn that had begun is half done: it is ended as one whose process is gone, while nobody else is let in. If that
   * fails too, the next work in the directory does it.
   */
  async #brokeOff(turn: WaitingTurn, workspace: Workspace, error: unknown): Promise<void> {
    if (turn.status === "queued") throw error;
    const { code } = failureOf(error);
    // The words of the store are about the change that failed: the turn did change something.
    const why = (error as Error).message.replace(" Nothing was changed.", "");
    const message = `The turn was broken off: ${why} Its changes until then are kept.`;
    await workspace.finishInterrupted().catch(() => {
      throw Object.assign(new Error(`${message} The next command ends it.`), { code });
    });
    this.#news.tell(turn, { type: "notice", message });
    this.#parts.feed.look();
    const failure = { ...failureOf(error), advice: "Its changes until then are kept: retake undo takes them back." };
    const where = { thread_id: turn.input.thread, turn_id: turn.id };
    this.#news.tell(turn, { type: "turn-finished", ...where, status: "interrupted", usage: {}, failure });
    this.#ended(turn);
  }

  #limitWait(turn: WaitingTurn): void {
    turn.limitWait(() => void this.#withdraw(turn, WAITED));
  }

  #ask(turn: WaitingTurn, question: ApprovalQuestion): Promise<ApprovalAnswer> {
    return new Promise((resolve) => {
      turn.questions.set(question.call_id, { question, answer: resolve });
      this.#parts.feed.look();
      this.#news.say(turn, { type: "approval-asked", ...question });
    });
  }

  #ended(turn: WaitingTurn): void {
    for (const { answer } of turn.questions.values()) answer({ denied: "the turn ended before anybody answered." });
    this.#turns.delete(turn.id);
    this.#over(turn);
  }

  #over(turn: WaitingTurn): void {
    const { feed } = this.#parts;
    turn.release();
    feed.endTurn(turn.id);
    setTimeout(() => {
      this.#followed.delete(turn.id);
      feed.forgetTurn(turn.id);
    }, STAYS).unref();
  }

  #notStarted(turn: WaitingTurn, reason: NotStarted): void {
    if (turn.status === "not-started") return;
    const why = turn.withdrawal === PAUSED ? PAUSED : reason;
    const { code, message } = why;
    const mayComeBack = why === PAUSED || why === RESET;
    if (turn.isStored && mayComeBack) this.#stored.letGo(turn);
    else if (turn.isStored) this.#stored.remove(turn);
    turn.status = "not-started";
    turn.failure = { code, message };
    turn.begin({ kind: "busy", message });
    this.#news.say(turn, { type: "turn-not-started", code, message });
    this.#over(turn);
    if (mayComeBack) this.#turns.delete(turn.id);
    const old = [...this.#turns.values()].filter((each) => each.status === "not-started").slice(0, -REMEMBERED);
    for (const { id } of old) this.#turns.delete(id);
  }
}

/** The outcome of a retry: the new turn and the take-back of the one before it, or a refusal. */
export type Retried = { readonly kind: "tried"; readonly turn: QueuedTurn; readonly begun: TakeBackResult } | Refusal;
