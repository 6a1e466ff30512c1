/**
 * Turns in the server of the store. The command asks for one, shows what the turn tells from its beginning
 * to its end, and answers its questions like any other client; whoever answers first has answered.
 *
 *   POST turns ─▶ turn id ─▶ GET turns/{id}/stream ─▶ the screen
 *                             question ─▶ the user ─▶ POST approvals      Ctrl+C ─▶ POST interrupt
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { ApiError, type CallOptions, type Client, createClient, type RetakeEvent } from "@retake/client";
import type { JsonObject, RefusalCode } from "@retake/core";
import type { ApprovalQuestion, TurnEvent as ShownEvent, TakenBackAnswer, Workspace } from "@retake/runtime";
import { findServer, readToken, type ServerFile, socketFetch, surroundingsOf } from "@retake/server/running";
import manifest from "../package.json" with { type: "json" };
import { CommandError, EXIT, refused } from "./command.ts";
import { endWithProcess } from "./end-with-process.ts";
import type { AskedTurn, ConflictingRetry, EndedTurn, RetryWatch, TurnPlace, Watch } from "./turn-place.ts";

/** The running server, unless a turn would come out otherwise there than in this process. */
export async function servedTurns(workspace: Workspace): Promise<TurnPlace | undefined> {
  const { state } = workspace.store.directories;
  const at = await findServer(state);
  if (at?.version !== manifest.version) return undefined;
  const token = tokenIn(state);
  if (token === undefined || at.surroundings !== surroundingsOf(process.env, token)) return undefined;
  const client = createClient({ url: "http://localhost", token, fetch: socketFetch(at.socket) });
  return new ServedTurns(workspace, client, at);
}

/** Where it was taken away, the server lets nobody in. */
function tokenIn(state: string): string | undefined {
  try {
    return readToken(join(state, "token"));
  } catch {
    return undefined;
  }
}

const ATTEMPTS = 3;

interface Begun {
  readonly turn_id: string;
}

class ServedTurns implements TurnPlace {
  readonly #workspace: Workspace;
  readonly #client: Client;
  readonly #at: ServerFile;

  constructor(workspace: Workspace, client: Client, at: ServerFile) {
    this.#workspace = workspace;
    this.#client = client;
    this.#at = at;
  }

  run(turn: AskedTurn, watch: Watch): Promise<EndedTurn> {
    const begin = (once: CallOptions) => this.#client.startTurn(turn.thread, bodyOf(turn, watch), once);
    return this.#turn(turn, watch, begin, () => {});
  }

  async retry(turn: AskedTurn, watch: RetryWatch): Promise<EndedTurn | ConflictingRetry> {
    const begin = (once: CallOptions) => this.#client.retry(turn.thread, bodyOf(turn, watch), once);
    try {
      return await this.#turn(turn, watch, begin, ({ taken_back }) => watch.onTakenBack(taken_back as TakenBackAnswer));
    } catch (error) {
      if (!(error instanceof CommandError && error.code === "conflict")) throw error;
      return { kind: "conflicts", answer: error.details as TakenBackAnswer };
    }
  }

  async #turn<Answer extends Begun>(
    { thread }: AskedTurn,
    watch: Watch,
    begin: (once: CallOptions) => Promise<Answer>,
    onBegun: (answer: Answer) => void,
  ): Promise<EndedTurn> {
    // The server would let it wait as long as it takes; here nobody waits for long, whoever works in the directory.
    const busy = await this.#workspace.finishInterrupted(watch.signal);
    if (busy) return busy;
    const begun = await this.#begin(begin);
    onBegun(begun);
    const { turn_id: turn } = begun;
    const interrupt = async () => {
      await this.#ask(() => this.#client.interruptTurn(thread, turn)).catch(() => undefined);
    };
    const leave = endWithProcess(interrupt);
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
  async #begin<Answer>(begin: (once: CallOptions) => Promise<Answer>): Promise<Answer> {
    const idempotencyKey = randomUUID();
    try {
      return await this.#ask(() => begin({ idempotencyKey }));
    } catch (error) {
      if (error instanceof ApiError) throw errorOf(error);
      throw this.#lost("did not say whether the turn began: retake history shows it. If not, run the command again.");
    }
  }

  async #follow(thread: string, turn: string, watch: Watch): Promise<EndedTurn> {
    const lost = new AbortController();
    const onConnection = async (connected: boolean) => {
      if (!connected && !(await this.#isThere())) lost.abort();
    };
    const questions = new Map<string, AbortController>();
    const ask = (question: ApprovalQuestion) => {
      const gone = new AbortController();
      questions.set(question.call_id, gone);
      void this.#answer(thread, turn, question, watch, gone.signal).finally(() => questions.delete(question.call_id));
    };
    let ended: EndedTurn | undefined;
    try {
      for await (const event of this.#client.followTurn(thread, turn, { signal: lost.signal, onConnection })) {
        if (event.type === "approval-asked") ask(event as unknown as ApprovalQuestion);
        else if (event.type === "approval-given")
          questions.get(event.call_id)?.abort(`Another client answered: ${event.decision}.`);
        else if (event.type === "turn-not-started") throw errorOf(event);
        else if (event.type === "gap") watch.onEvent({ type: "notice", message: MISSED });
        else if (isShown(event)) watch.onEvent(shown(event));
        if (event.type !== "turn-finished") continue;
        ended = shown(event) as Extract<ShownEvent, { type: "turn-finished" }>;
      }
    } catch (error) {
      // A server that does not know the turn is another one.
      if (!(error instanceof ApiError)) throw error;
    } finally {
      for (const gone of questions.values()) gone.abort("The turn has ended.");
    }
    if (!ended)
      throw this.#lost(
        "ran this turn and took it along. What was done until then is kept. The next command that changes something ends the turn; retake undo takes it back.",
      );
    return ended;
  }

  async #answer(thread: string, turn: string, question: ApprovalQuestion, watch: Watch, gone: AbortSignal) {
    // Whoever cannot answer has not agreed.
    const decision = await watch.approve(question, gone).catch(() => "deny" as const);
    if (gone.aborted || watch.signal.aborted) return;
    // That another client was faster, or the server is gone, is told by the turn's events.
    await this.#ask(() => this.#client.decideApproval(thread, turn, question.call_id, { decision })).catch(() => {});
  }

  /** Asks again where the connection was lost before the answer, as long as the server is there. */
  async #ask<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call();
      } catch (error) {
        if (error instanceof ApiError || attempt === ATTEMPTS || !(await this.#isThere())) throw error;
      }
    }
  }

  async #isThere(): Promise<boolean> {
    return (await findServer(this.#workspace.store.directories.state))?.pid === this.#at.pid;
  }

  #lost(what: string): CommandError {
    return new CommandError(EXIT.failed, "server-lost", `The server (process ${this.#at.pid}) is gone. It ${what}`);
  }
}

function bodyOf({ prompt, model }: AskedTurn, { approveAll }: Watch) {
  return { prompt, model: model.name, approve_all: approveAll };
}

/** What the server refuses ends the command as it does when it is refused here. */
function errorOf({ code, message, details }: { code: string; message: string; details?: unknown }): CommandError {
  const more = details === undefined ? {} : { details: details as JsonObject };
  return refused({ kind: "refused", code: code as RefusalCode, message, ...more });
}

const MISSED = "… some of what the turn said is not shown.";

/** What the command shows of a turn that runs in its own process, too. */
function isShown({ type }: RetakeEvent): boolean {
  return type !== "turn-queued" && type !== "operation-committed" && type !== "operation-omitted";
}

/** Where it stands in the server's log is nothing to show. */
function shown({ seq: _, ...event }: RetakeEvent): ShownEvent {
  return event as unknown as ShownEvent;
}
