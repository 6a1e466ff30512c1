/**
 * A turn through the client: asks for it, shows its events from the first to the last, and answers its questions like any
 * other client; the first answer counts.
 *
 *   POST turns ─▶ turn id ─▶ GET turns/{id}/stream ─▶ the screen
 *                             question ─▶ the user ─▶ POST approvals      Ctrl+C ─▶ POST interrupt
 */
import { randomUUID } from "node:crypto";
import { ApiError, type CallOptions, type Client, type RetakeEvent } from "@retake/client";
import type { JsonObject, RefusalCode } from "@retake/core";
import type {
  ApprovalQuestion,
  TurnEvent as ShownEvent,
  TakenBackAnswer,
  TurnRequest,
  TurnResult,
} from "@retake/runtime";
import { type Call, CommandError, EXIT, refused } from "./command.ts";
import { endWithProcess } from "./end-with-process.ts";
import type { FoundClient } from "./find-client.ts";
import type { World } from "./world.ts";

export interface TurnInput {
  readonly thread: string;
  readonly prompt: string;
  /** `provider/model`; if absent, the model that is configured. */
  readonly model: string | undefined;
}

/** A retry without a prompt has that of the turn before, and so its model. */
export type RetryInput = Pick<TurnInput, "thread" | "model"> & { readonly prompt: string | undefined };

/** The screen of a turn. */
export interface Watch extends Pick<TurnRequest, "mode" | "questions" | "onEvent" | "signal"> {
  /** `gone` is aborted when another client has answered or the turn has ended; its reason is a sentence. */
  approve(question: ApprovalQuestion, gone?: AbortSignal): ReturnType<TurnRequest["approve"]>;
}

export interface RetryWatch extends Watch {
  /** Called when the turn before is taken back and this one has begun. */
  onTakenBack(answer: TakenBackAnswer): void;
}

const ATTEMPTS = 3;
/** How long a command waits for others: an undo or a short turn is over by then, a long turn is not. */
const PATIENCE_MS = 5_000;

interface TurnAnswer {
  readonly turn_id: string;
}

export class ClientTurns {
  readonly #world: World;
  readonly #client: Client;
  readonly #found: FoundClient;

  constructor({ world }: Pick<Call, "world">, found: FoundClient) {
    this.#world = world;
    this.#client = found.client;
    this.#found = found;
  }

  /** A new thread of a directory; its title is made from its first prompt. */
  async newThread(root: string, prompt: string, options: { readonly private: boolean }): Promise<string> {
    const body = { prompt, workspace_root: root, ...options };
    const { thread } = await this.#begin("the thread", (once) => this.#client.createThread(body, once));
    return thread.id;
  }

  run({ thread, prompt, model }: TurnInput, watch: Watch): Promise<TurnResult> {
    const body = { prompt, ...bodyOf(model, watch) };
    return this.#turn(thread, watch, (once) => this.#client.startTurn(thread, body, once));
  }

  retry({ thread, prompt, model }: RetryInput, watch: RetryWatch): Promise<TurnResult> {
    const body = { prompt, ...bodyOf(model, watch) };
    const begin = (once: CallOptions) => this.#client.retry(thread, body, once);
    return this.#turn(thread, watch, begin, ({ taken_back }) => watch.onTakenBack(taken_back as TakenBackAnswer));
  }

  /** Runs a paused prompt. */
  continue(thread: string, turn: string, watch: Watch): Promise<TurnResult> {
    return this.#turn(thread, watch, async (once) => {
      const { turns } = await this.#client.continueTurns(thread, { turn }, once);
      return { turn_id: turns[0]?.id ?? "" };
    });
  }

  remove(thread: string, turn: string): Promise<object> {
    return this.#begin("the change", (once) => this.#client.removeQueuedTurn(thread, turn, once));
  }

  async #turn<Answer extends TurnAnswer>(
    thread: string,
    watch: Watch,
    begin: (once: CallOptions) => Promise<Answer>,
    onBegin: (answer: Answer) => void = () => {},
  ): Promise<TurnResult> {
    const answer = await this.#begin("the turn", begin);
    onBegin(answer);
    const { turn_id: turn } = answer;
    const interrupt = async () => {
      await this.#ask(() => this.#client.interruptTurn(thread, turn)).catch(() => undefined);
    };
    const leave = endWithProcess(this.#world, interrupt);
    watch.signal.addEventListener("abort", interrupt);
    if (watch.signal.aborted) void interrupt();
    try {
      return await this.#follow(thread, turn, watch);
    } finally {
      watch.signal.removeEventListener("abort", interrupt);
      leave();
    }
  }

  /** With one key for all attempts: an answer that is lost on its way does not make two turns. */
  async #begin<Answer>(what: string, begin: (once: CallOptions) => Promise<Answer>): Promise<Answer> {
    const idempotencyKey = randomUUID();
    try {
      return await this.#ask(() => begin({ idempotencyKey }));
    } catch (error) {
      if (error instanceof ApiError) throw errorOf(error);
      if (this.#found.pid === undefined) throw error;
      throw this.#lostServer(
        `did not say whether ${what} began: retake history shows it. If not, run the command again.`,
      );
    }
  }

  async #follow(thread: string, turn: string, watch: Watch): Promise<TurnResult> {
    const lost = new AbortController();
    const onConnection = async (connected: boolean) => {
      if (!connected && !(await this.#found.isThere())) lost.abort();
    };
    const questions = new Map<string, AbortController>();
    const ask = (question: ApprovalQuestion) => {
      const gone = new AbortController();
      questions.set(question.call_id, gone);
      void this.#answer(thread, turn, question, watch, gone.signal).finally(() => questions.delete(question.call_id));
    };
    let result: TurnResult | undefined;
    try {
      for await (const event of this.#client.followTurn(thread, turn, { signal: lost.signal, onConnection })) {
        if (event.type === "approval-asked") ask(event as unknown as ApprovalQuestion);
        else if (event.type === "approval-given")
          questions.get(event.call_id)?.abort(`Another client answered: ${event.decision}.`);
        else if (event.type === "turn-not-started") throw errorOf(event);
        else if (event.type === "gap") watch.onEvent({ type: "notice", message: MISSED });
        else if (isShown(event)) watch.onEvent(withoutPosition(event));
        if (event.type === "turn-finished")
          result = withoutPosition(event) as Extract<ShownEvent, { type: "turn-finished" }>;
      }
    } catch (error) {
      // A server that does not know the turn is another one.
      if (!(error instanceof ApiError)) throw error;
    } finally {
      for (const gone of questions.values()) gone.abort("The turn has ended.");
    }
    if (!result)
      throw this.#lostServer(
        "ran this turn. The changes of the turn until then are kept. The next command that changes something ends the turn; retake undo takes it back.",
      );
    return result;
  }

  async #answer(thread: string, turn: string, question: ApprovalQuestion, watch: Watch, gone: AbortSignal) {
    const answer = await watch
      .approve(question, gone)
      .catch((error: Error) => ({ denied: `nobody could be asked (${error.message}).` }));
    if (gone.aborted || watch.signal.aborted) return;
    const body =
      typeof answer === "string" ? { decision: answer } : { decision: "deny" as const, reason: answer.denied };
    // If another client was faster, or the server is gone, the turn's events say so.
    await this.#ask(() => this.#client.decideApproval(thread, turn, question.call_id, body)).catch(() => {});
  }

  /** Asks again where the connection was lost before the answer, as long as the server is there. */
  async #ask<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call();
      } catch (error) {
        if (error instanceof ApiError || attempt === ATTEMPTS || !(await this.#found.isThere())) throw error;
      }
    }
  }

  #lostServer(what: string): CommandError {
    return new CommandError(EXIT.failed, "server-lost", `The server (process ${this.#found.pid}) is gone. It ${what}`);
  }
}

function bodyOf(model: string | undefined, { mode, questions }: Watch) {
  return { model, approve: mode, questions, wait_ms: PATIENCE_MS };
}

/** A refusal by the server ends the command as one of this process does. */
function errorOf({ code, message, details }: { code: string; message: string; details?: unknown }): CommandError {
  const more = details === undefined ? {} : { details: details as JsonObject };
  return refused({ kind: "refused", code: code as RefusalCode, message, ...more });
}

const MISSED = "… some of what the turn said is not shown.";

function isShown({ type }: RetakeEvent): boolean {
  return type !== "turn-queued" && type !== "operation-committed" && type !== "operation-omitted";
}

/** Removes the event's position in the server's log. */
function withoutPosition({ seq: _, ...event }: RetakeEvent): ShownEvent {
  return event as unknown as ShownEvent;
}
