import type { QueuedTurn } from "../answers/turns-answer.ts";
import type { Store } from "../store/open-store.ts";
import type { PromptRequest, QueuedPrompt } from "../store/queued-prompts.ts";
import { isThere, markOfThisProcess, type ProcessMark } from "./process-mark.ts";
import type { WaitingTurn } from "./waiting-turn.ts";

export type QueueStore = Pick<Store, "read" | "queuedPrompts">;

export interface StoredTurn extends Pick<QueuedTurn, "id" | "prompt" | "model"> {
  readonly status: "queued" | "paused";
}

/** The queue as the store has it: what waits in any process, and what waited in one that has ended. */
export class StoredQueue {
  readonly #store: QueueStore;

  constructor(store: QueueStore) {
    this.#store = store;
  }

  of(thread: string): StoredTurn[] {
    return this.#rows(thread).map(({ turn: id, request: { prompt, model }, holder }) => {
      const status = isHeld(holder) ? "queued" : "paused";
      return { id, prompt, model, status };
    });
  }

  /** The prompts that no process holds any more. */
  paused(thread: string): QueuedPrompt[] {
    return this.#rows(thread).filter(({ holder }) => !isHeld(holder));
  }

  /** Durable when it returns. With `before`, in place of a paused prompt; false if that is not paused any more. */
  add(turn: WaitingTurn, before: string | undefined): boolean {
    const { thread } = turn.input;
    const holder = JSON.stringify(markOfThisProcess());
    const prompt = { turn: turn.id, thread, request: requestOf(turn), holder };
    return this.#store.queuedPrompts(thread).add(prompt, before, isGone);
  }

  change(turn: WaitingTurn): void {
    this.#store.queuedPrompts(turn.input.thread).change(turn.id, requestOf(turn));
  }

  /** The prompt of a turn that waited in this process. */
  remove({ id, input }: WaitingTurn): void {
    this.#store.queuedPrompts(input.thread).remove(id, () => true);
  }

  removePaused({ turn, thread }: QueuedPrompt): boolean {
    return this.#store.queuedPrompts(thread).remove(turn, isGone);
  }

  letGo({ id, input }: WaitingTurn): void {
    this.#store.queuedPrompts(input.thread).letGo(id);
  }

  #rows(thread: string): QueuedPrompt[] {
    return this.#store.read(thread, ({ state }) => this.#store.queuedPrompts(thread).of(thread, state));
  }
}

function requestOf({ input, model }: WaitingTurn): PromptRequest {
  const { prompt, mode, questions } = input;
  return { prompt, model: model.name, isNamed: input.model !== undefined, mode, questions };
}

function isHeld(holder: string | undefined): boolean {
  return holder !== undefined && !isGone(holder);
}

function isGone(holder: string): boolean {
  return !isThere(JSON.parse(holder) as ProcessMark);
}
