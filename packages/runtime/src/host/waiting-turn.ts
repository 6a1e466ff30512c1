import { type ApprovalMode, type Refusal, refuse } from "@retake/core";
import type { QueuedTurn, RetryWait } from "../answers/turns-answer.ts";
import type { Model } from "../model/model.ts";
import type { ApprovalAnswer, ApprovalQuestion } from "../runner/turn.ts";
import type { TakeBackResult } from "../undo/take-back.ts";
import { NO_QUESTION } from "./not-started.ts";
import type { Registration } from "./turn-register.ts";

export interface TurnInput {
  readonly thread: string;
  /** The thread's workspace. */
  readonly root: string;
  readonly prompt: string;
  readonly model?: string | undefined;
  /** The approval mode of this turn; the workspace's own if absent. */
  readonly mode?: ApprovalMode | undefined;
  /** False: calls that need a question are denied. */
  readonly questions?: boolean | undefined;
  /** How long it may wait until it begins; any time if absent. */
  readonly waitMs?: number | undefined;
  /** The version that the caller saw: refused if more than notes came since. */
  readonly expectedVersion?: number | undefined;
}

export interface QueuedChange {
  readonly prompt?: string | undefined;
  readonly model?: string | undefined;
}

/** The paused prompts to continue: one, or all of a thread. */
export interface PausedInput extends Pick<TurnInput, "thread" | "root"> {
  readonly turn?: string | undefined;
}

/** A turn of the queue, from when it is accepted until it has ended. */
export class WaitingTurn {
  readonly id: string;
  input: TurnInput;
  model: Model;
  readonly controller = new AbortController();
  #patience: NodeJS.Timeout | undefined;
  readonly questions = new Map<
    string,
    { readonly question: ApprovalQuestion; readonly answer: (answer: ApprovalAnswer) => void }
  >();
  readonly retries: boolean;
  /**
   * Whether its prompt stays in the store until it begins. A retry is answered when it has begun, and a caller with limited
   * patience waits and is told: neither prompt may begin when nobody expects it any more.
   */
  readonly isStored: boolean;
  /** Ends the wait for the next try; undefined while there is no such wait. */
  tryNow: (() => void) | undefined;
  /** The last failure of the model, while the turn waits for its next try. */
  retry: RetryWait | undefined;
  registration: Registration | undefined;
  readonly begun: Promise<TakeBackResult>;
  begin: (done: TakeBackResult) => void = () => {};
  cannotBegin: (error: unknown) => void = () => {};
  readonly ended: Promise<void>;
  end: () => void = () => {};
  /** Its workspace is free for it: it begins, unless another process works there. */
  entered = false;
  saidItWaits = false;
  status: QueuedTurn["status"] = "queued";
  failure: QueuedTurn["failure"];
  /** Why it shall not begin any more. */
  withdrawal: QueuedTurn["failure"];

  constructor(id: string, input: TurnInput, model: Model, retries: boolean) {
    this.retries = retries;
    this.isStored = !retries && input.waitMs === undefined;
    this.begun = new Promise((resolve, reject) => {
      this.begin = resolve;
      this.cannotBegin = reject;
    });
    // Only a retry has a caller that waits for its beginning.
    this.begun.catch(() => {});
    this.id = id;
    this.input = input;
    this.model = model;
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  /**
   * Calls `onTooLong` if the turn has waited for others too long. Its own preparation is not limited: an MCP server may take
   * long to start, and a model to summarise.
   */
  limitWait(onTooLong: () => void): void {
    const { waitMs } = this.input;
    if (waitMs !== undefined) this.#patience ??= setTimeout(onTooLong, waitMs);
  }

  /** Its turn has come in this process. */
  enter(): void {
    this.entered = true;
    this.#endWait();
  }

  summary(): QueuedTurn {
    const { id, input, model, status, failure, retry } = this;
    const questions = [...this.questions.values()].map(({ question }) => question);
    const { thread, prompt } = input;
    return { id, thread, prompt, model: model.name, status, failure, retry, questions };
  }

  /** Answers a question. Returns it, or a refusal if no such question waits. */
  answer(call: string, answer: ApprovalAnswer): ApprovalQuestion | Refusal {
    const waiting = this.questions.get(call);
    if (!waiting) return NO_QUESTION;
    if (answer === "allow-always" && !waiting.question.always)
      return refuse(
        "invalid-input",
        "This call has to be asked about each time. The question still waits: answer allow or deny.",
      );
    this.questions.delete(call);
    waiting.answer(answer);
    return waiting.question;
  }

  /** Whether it may still begin: it was not interrupted. */
  isWanted(): boolean {
    this.registration?.look();
    return !this.controller.signal.aborted;
  }

  /** The last look before it begins. */
  mayBegin(): boolean {
    const wanted = this.isWanted();
    if (wanted) this.#endWait();
    return wanted;
  }

  /** Lets go of what was held for it. */
  release(): void {
    this.#endWait();
    this.registration?.remove();
    this.end();
  }

  #endWait(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
  }
}
