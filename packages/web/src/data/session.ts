/**
 * One thread on the screen: the client's view of it, kept up to date by events, and what a turn needs beside it (queue,
 * questions, retries). Every panel and part gets the same `Session`; nothing else reads the thread.
 */
import {
  ApiError,
  approvalsIn,
  followSession,
  type RetakeEvent,
  type SessionFollower,
  type SessionView,
} from "@retake/client";
import { entryById, type WindowRequest } from "@retake/core";
import { channel, client } from "./connection.ts";
import { Store } from "./store.ts";

export type Turn = Awaited<ReturnType<typeof client.listTurns>>["turns"][number];
type Asked = Extract<RetakeEvent, { type: "approval-asked" }>;
type Retry = Pick<Extract<RetakeEvent, { type: "retry" }>, "turn_id" | keyof NonNullable<Turn["retry"]>>;

export interface SessionState {
  readonly view: SessionView | undefined;
  /** Why there is no view, in the server's words. */
  readonly failure: string | undefined;
  readonly queue: readonly Turn[];
  /** The last turns of the take, in their order. */
  readonly turns: readonly Turn[];
  /** Facts about questions that are in events and in no record, by call. */
  readonly asked: ReadonlyMap<string, Asked>;
  readonly retry: Retry | undefined;
  /** How far a capture or a restore is. */
  readonly progress: Extract<RetakeEvent, { type: "progress" }> | undefined;
}

const EMPTY: SessionState = {
  view: undefined,
  failure: undefined,
  queue: [],
  turns: [],
  asked: new Map(),
  retry: undefined,
  progress: undefined,
};

const PROGRESS_MS = 2000;
const MOST_TURNS = 2000;
/** Operations after which a take has other turns. */
const TURN_CHANGES: ReadonlySet<string> = new Set([
  ...["turn-started", "turn-finished", "turn-imported", "undone", "redone", "jumped", "reverted", "session-reset"],
  ...["entries-cleared", "entries-truncated", "entries-compressed", "entries-replaced", "heads-merged"],
]);

export class Session {
  readonly thread: string;
  readonly store = new Store<SessionState>(EMPTY);
  /** The row to go to as soon as it is there: an entry or a turn. */
  readonly target = new Store<string | undefined>(undefined);
  readonly #stop = new AbortController();
  readonly #follower: SessionFollower;
  /** The windows that were asked for and have not come. */
  #asked = 0;
  /** The questions whose details were read. */
  readonly #read = new Set<string>();
  #reading: ReturnType<typeof setTimeout> | undefined;
  #progress: ReturnType<typeof setTimeout> | undefined;

  constructor(thread: string) {
    this.thread = thread;
    const { signal } = this.#stop;
    this.#follower = followSession(client, thread, { signal, onEvent: (event) => this.#onEvent(event) });
    void this.#follow();
    void this.#readTurns();
    // The turns that waited in a server are gone with it, and no event tells it.
    const end = channel.onConnection(() => {
      if (channel.connection === "live") this.#readTurnsSoon();
    });
    signal.addEventListener("abort", end);
  }

  /** Shows another part of a long conversation. */
  show(window: WindowRequest): void {
    this.#asked += 1;
    void this.#follower.show(window).then(() => {
      this.#asked -= 1;
    });
  }

  /** The same for a list that is near an end of its window. False while another part is awaited: that one counts. */
  showMore(window: WindowRequest): boolean {
    if (this.#asked > 0) return false;
    void this.#follower.show(window);
    return true;
  }

  /** Shows the part of the conversation around an entry, and goes there. */
  async goTo(entry: string): Promise<void> {
    const { view } = this.store.value;
    if (view && entryById(view.state, view.take, entry)) return this.target.set(entry);
    const after = await client.listEntries(this.thread, { after: entry, limit: 50 }).catch(() => undefined);
    const last = after?.entries.at(-1);
    this.show(last && after?.more_after ? { before: last.id, count: 300 } : { last: 300 });
    this.target.set(entry);
  }

  /** Shows the beginning of the conversation, and goes to its first entry. */
  async goToFirst(): Promise<void> {
    const { entries } = await client.listEntries(this.thread, { limit: 1 }).catch(() => ({ entries: [] }));
    if (entries[0]) await this.goTo(entries[0].id);
  }

  end(): void {
    this.#stop.abort();
  }

  async #follow(): Promise<void> {
    try {
      for await (const view of this.#follower) {
        if (view.take !== this.store.value.view?.take) this.#readTurnsSoon();
        this.#change({ view, failure: undefined });
        this.#readQuestions(view);
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#change({ failure: messageOf(error) });
    }
  }

  /** The event of a question may have come before this page listened: its directory and preview are read, once. */
  #readQuestions(view: SessionView): void {
    const unknown = approvalsIn(view).filter(
      ({ call_id: id }) => !this.store.value.asked.has(id) && !this.#read.has(id),
    );
    for (const { call_id } of unknown) this.#read.add(call_id);
    if (unknown.length > 0) this.#readTurnsSoon();
  }

  async #readTurns(): Promise<void> {
    const answer = await client.listTurns(this.thread, { last: MOST_TURNS }).catch(() => undefined);
    if (!answer || this.#stop.signal.aborted) return;
    const asked = new Map(this.store.value.asked);
    for (const turn of answer.turns)
      for (const approval of turn.approvals)
        if (!asked.has(approval.call_id)) asked.set(approval.call_id, approval as unknown as Asked);
    const waiting = answer.turns.find(({ retry }) => retry);
    // An event may have told of a wait since; one of a turn that ended, as in a server that was killed, is over.
    const before = this.store.value.retry;
    const isRunning = answer.turns.some(({ id, status }) => id === before?.turn_id && status === "running");
    this.#change({
      asked,
      turns: answer.turns,
      retry: waiting?.retry ? { ...waiting.retry, turn_id: waiting.id } : isRunning ? before : undefined,
      queue: answer.turns.filter(({ status }) => status === "queued" || status === "paused"),
    });
  }

  #onEvent(event: RetakeEvent): void {
    const change = changeBy(event, this.store.value);
    if (change) this.#change(change);
    if (event.type === "progress") this.#forgetProgress();
    if (event.type === "gap" || (event.type === "operation-committed" && TURN_CHANGES.has(event.operation.kind)))
      this.#readTurnsSoon();
  }

  /** No event says that a capture has ended: its progress goes when no more of it comes. */
  #forgetProgress(): void {
    clearTimeout(this.#progress);
    this.#progress = setTimeout(() => this.#change({ progress: undefined }), PROGRESS_MS);
  }

  #readTurnsSoon(): void {
    this.#reading ??= setTimeout(() => {
      this.#reading = undefined;
      void this.#readTurns();
    }, 100);
  }

  #change(part: Partial<SessionState>): void {
    if (this.#stop.signal.aborted) return;
    this.store.update((state) => ({ ...state, ...part }));
  }
}

/** Takes in an event, beside the view. */
function changeBy(
  event: RetakeEvent,
  { queue, asked, retry, progress }: SessionState,
): Partial<SessionState> | undefined {
  switch (event.type) {
    case "turn-queued": {
      const turn: Turn = {
        id: event.turn_id,
        prompt: event.prompt,
        status: "queued",
        model: event.model,
        approvals: [],
      };
      return { queue: [...queue.filter(({ id }) => id !== turn.id), turn] };
    }
    case "turn-started":
    case "turn-not-started":
    case "turn-finished":
      return { queue: queue.filter(({ id }) => id !== event.turn_id), retry: undefined, progress: undefined };
    case "approval-asked":
      return { asked: new Map(asked).set(event.call_id, event) };
    case "retry":
      return { retry: event };
    case "progress":
      return { progress: event };
    case "text":
    case "tool-started":
      return retry || progress ? { retry: undefined, progress: undefined } : undefined;
    default:
      return undefined;
  }
}

/** The questions that wait for the user's word, oldest first, with what their events said. */
export function questionsIn({ view, asked }: SessionState) {
  if (!view) return [];
  return approvalsIn(view).map((approval) => {
    const { directory, preview } = asked.get(approval.call_id) ?? {};
    return { ...approval, directory, preview };
  });
}

/** A request that no answer came to: it may have been carried out, or not. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError;
}

export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (isUnreachable(error)) return "The server cannot be reached. Whether it was done is shown as soon as it is back.";
  return error instanceof Error ? error.message : String(error);
}
