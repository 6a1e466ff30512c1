/**
 * The prompts that were accepted and whose turns have not begun. They are facts of this machine: no import or sync writes
 * this table, and each lies in the part of the store that has its thread. A prompt leaves the table in the transaction that
 * begins its turn, so that a kill neither loses it nor runs it twice (decision 35).
 *
 * The process in whose queue a prompt waits holds it. A prompt that nobody holds is paused: it runs when the user continues it.
 */
import { type ApprovalMode, groupKey, type Operation, type State } from "@retake/core";
import type { Database } from "@retake/workspace";

export const QUEUED_PROMPTS_SCHEMA = `
  CREATE TABLE queued_prompts (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    turn TEXT NOT NULL UNIQUE,
    thread TEXT NOT NULL,
    request TEXT NOT NULL,
    /** The process that holds it; null after it let go. */
    holder TEXT,
    /** The version of the reset that cleared the queue. */
    reset_at INTEGER
  ) STRICT;
  CREATE INDEX queued_prompts_by_thread ON queued_prompts (thread, place);
`;

/** The request for a turn. */
export interface PromptRequest {
  readonly prompt: string;
  readonly model: string;
  /** The caller named the model; otherwise that of the thread is used, which may change while the prompt is paused. */
  readonly isNamed: boolean;
  readonly mode?: ApprovalMode | undefined;
  readonly questions?: boolean | undefined;
}

export interface QueuedPrompt {
  readonly turn: string;
  readonly thread: string;
  readonly request: PromptRequest;
  readonly holder: string | undefined;
}

export class QueuedPrompts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The prompts of a thread in their order, without those that a reset cleared, unless the reset is undone. */
  of(thread: string, { thread: records }: State): QueuedPrompt[] {
    return this.#database
      .prepare("SELECT turn, request, holder, reset_at FROM queued_prompts WHERE thread = ? ORDER BY place")
      .all(thread)
      .filter(({ reset_at }) => reset_at === null || !records.get(`group:${groupKey(Number(reset_at))}`))
      .map(({ turn, request, holder }) => ({
        turn: String(turn),
        thread,
        request: JSON.parse(String(request)) as PromptRequest,
        holder: holder === null ? undefined : String(holder),
      }));
  }

  /** Adds a prompt. With `before`, it takes the place of one that `mayTake` agrees to; false if that is not there any more. */
  add(prompt: QueuedPrompt, before?: string, mayTake: (holder: string) => boolean = () => false): boolean {
    const { turn, thread, request, holder = null } = prompt;
    return this.#database.transaction(() => {
      if (before !== undefined && !this.#take(before, mayTake)) return false;
      this.#database.run(
        "INSERT INTO queued_prompts (turn, thread, request, holder) VALUES (?, ?, ?, ?)",
        turn,
        thread,
        JSON.stringify(request),
        holder,
      );
      return true;
    });
  }

  change(turn: string, request: PromptRequest): void {
    this.#database.transaction(() =>
      this.#database.run("UPDATE queued_prompts SET request = ? WHERE turn = ?", JSON.stringify(request), turn),
    );
  }

  /** Removes a prompt that nobody holds, or that `mayTake` agrees to; false if there is none. */
  remove(turn: string, mayTake: (holder: string) => boolean): boolean {
    return this.#database.transaction(() => this.#take(turn, mayTake));
  }

  /** The process that holds a prompt ends, or has given it up. */
  letGo(turn: string): void {
    this.#database.transaction(() =>
      this.#database.run("UPDATE queued_prompts SET holder = NULL WHERE turn = ?", turn),
    );
  }

  #take(turn: string, mayTake: (holder: string) => boolean): boolean {
    const row = this.#database.prepare("SELECT holder FROM queued_prompts WHERE turn = ?").get(turn);
    if (!row || (row["holder"] !== null && !mayTake(String(row["holder"])))) return false;
    this.#database.run("DELETE FROM queued_prompts WHERE turn = ?", turn);
    return true;
  }
}

/** In the transaction that commits an operation: a turn that begins leaves the queue, a reset clears it. */
export function noteInQueue(database: Database, thread: string, { kind, turn_id, version }: Operation): void {
  if (kind === "turn-started") database.run("DELETE FROM queued_prompts WHERE turn = ?", turn_id ?? "");
  if (kind === "session-reset")
    database.run("UPDATE queued_prompts SET reset_at = ? WHERE thread = ? AND reset_at IS NULL", version, thread);
}
