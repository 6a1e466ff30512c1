import {
  type Actor,
  activeTake,
  type Built,
  type History,
  noteFilesEdited,
  type Operation,
  type Refusal,
  refuse,
  runningTurn,
  tree,
} from "@retake/core";
import {
  type BytePath,
  type Captured,
  type CaptureOptions,
  type Change,
  changesBetween,
  type Database,
  StoreError,
  showPath,
  type Transition,
  type WorkspaceFiles,
} from "@retake/workspace";
import type { Identity } from "../store/identity.ts";
import { SyncRows } from "../store/sync-rows.ts";
import type { ThreadStore } from "../store/thread-store.ts";

/**
 * The files of a thread's workspace, as the thread knows them. For core a tree is only a name; here it is the capture
 * of that name. Two captures may contain the same files, so trees are compared by their differences.
 */
export class ThreadFiles {
  readonly #workspace: WorkspaceFiles;
  readonly #store: ThreadStore;
  readonly #identity: Identity;

  constructor(workspace: WorkspaceFiles, store: ThreadStore, identity: Identity) {
    this.#workspace = workspace;
    this.#store = store;
    this.#identity = identity;
  }

  /**
   * Captures the files. If they differ from the take's tree, records that as an outside edit: otherwise the next
   * capture would count it as its own change.
   */
  async noteEdits(thread: string, options: CaptureOptions = {}): Promise<Captured> {
    const { captured } = await this.look(thread, options);
    this.noteCaptured(thread, captured);
    return captured;
  }

  /**
   * Captures the files, and in one transaction records the user's edits and calls `start`, which begins a turn. It throws a
   * refusal instead, and nothing has changed, when another machine works in the take, or has changed files of it that are
   * not on disk: a turn on other files than the conversation is about is not begun unasked.
   */
  async beginTurn(thread: string, start: () => void): Promise<void> {
    const captured = await this.#workspace.capture();
    this.#workspace.database.transaction(() => {
      this.#refuseElsewhere(thread, captured);
      this.noteCaptured(thread, captured);
      start();
    });
  }

  /** Records the differences of a capture from the take's tree as an outside edit. */
  noteCaptured(thread: string, captured: Captured): void {
    const noted = this.#store.change(thread, (history) => this.#note(thread, history, captured));
    if ("code" in noted && noted.code !== "nothing-to-do") throw new RefusedError(noted);
    this.forgetElsewhere(thread);
  }

  #refuseElsewhere(thread: string, { id }: Captured): void {
    const { known, turn } = this.#store.read(thread, ({ state }) => {
      const take = activeTake(state);
      return { known: tree(state, take), turn: runningTurn(state, take) };
    });
    if (turn !== undefined && !this.#store.ownTurns(thread).has(turn))
      throw new RefusedError(refuse("agent-running", WORKS_ELSEWHERE));
    if (this.#filesHere(thread) === undefined || this.same(known, id)) return;
    const files = this.changes(id, known).map(({ path }) => showPath(path));
    throw new RefusedError(refuse("files-elsewhere", elsewhereMessage(files), { files: files.slice(0, MOST_NAMED) }));
  }

  /** The tree of the files on disk, when pulls have moved the take to another one. */
  elsewhere(thread: string): { readonly base: string; readonly tree: string } | undefined {
    const base = this.#filesHere(thread);
    if (base === undefined) return undefined;
    return { base, tree: this.#store.read(thread, ({ state }) => tree(state, activeTake(state))) };
  }

  forgetElsewhere(thread: string): void {
    if (this.#filesHere(thread) === undefined) return;
    const { database } = this.#workspace;
    database.transaction(() => new SyncRows(database).forgetFilesHere(thread));
  }

  #filesHere(thread: string): string | undefined {
    return new SyncRows(this.#workspace.database).thread(thread).state.files_here;
  }

  /** The same, but the operation is only returned: it is committed with the decision made on it, or never (F26). */
  async look(
    thread: string,
    options: CaptureOptions = {},
  ): Promise<{ captured: Captured; note: Operation | undefined }> {
    const captured = await this.#workspace.capture(options);
    const note = this.#store.read(thread, (history) => this.#note(thread, history, captured));
    return { captured, note: note.kind === "operation" ? note.operation : undefined };
  }

  #note(thread: string, { state }: History, { id }: Captured): Built {
    const take = activeTake(state);
    const known = tree(state, take);
    // Nobody edited files that a pull has left where they were.
    const isElsewhere = this.#filesHere(thread) !== undefined;
    const actor: Actor = { kind: isElsewhere ? "sync" : "editor" };
    const description = isElsewhere ? { description: "Go on with the files of this machine" } : {};
    // The files may be equal although the captures have different names.
    const found = this.same(known, id) ? known : id;
    return noteFilesEdited(state, { ...this.#identity.context(actor), take }, { tree: found, ...description });
  }

  same(before: string, after: string): boolean {
    if (before === after) return true;
    if (before === "" || after === "") return false;
    return this.#changes(before, after).length === 0;
  }

  /** The transition between two trees, for a restore to reverse. */
  transition(before: string, after: string): Transition {
    return { changes: this.changes(before, after) };
  }

  changes(before: string, after: string): readonly Change[] {
    return before === "" || after === "" ? [] : this.#changes(before, after);
  }

  #changes(before: string, after: string): readonly Change[] {
    const changes = keptChanges(this.#workspace.database, before, after);
    if (changes) return changes;
    throw new RefusedError(
      refuse(
        "not-found",
        "The files of that time are not kept any more: retake gc gave them up. Nothing was changed. " +
          "The conversation alone can still be taken back: retake undo --scope conversation",
      ),
    );
  }
}

const WORKS_ELSEWHERE =
  "Another machine has begun a turn in this take, and its end has not come here. Nothing was changed. Wait and get it: retake sync now. " +
  "End it here and go on: retake stop. Or go on beside it in a new take: retake branch <turn>";

const MOST_NAMED = 1000;
const MOST_SHOWN = 5;

function elsewhereMessage(files: readonly string[]): string {
  const shown = files.slice(0, MOST_SHOWN).join(", ");
  const rest = files.length > MOST_SHOWN ? ` and ${files.length - MOST_SHOWN} more` : "";
  return (
    `This thread went on on another machine, and its files are not here: ${shown}${rest}. Nothing was changed. ` +
    "Bring them: retake sync files. Go on with the files that are here: retake sync files --keep"
  );
}

/** The changes between two trees of a store; undefined when garbage collection has deleted one of them. */
export function keptChanges(database: Database, before: string, after: string): readonly Change[] | undefined {
  return whereKept(() => changesBetween(database, before, after));
}

/** A file is absent in a state that is undefined. */
export function changeOf(path: BytePath, before: Change["before"], after: Change["after"]): Change {
  return { path, ...(before && { before }), ...(after && { after }) };
}

/** Undefined when garbage collection has deleted a capture that `read` needs. */
export function whereKept<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof StoreError && error.code === "unknown-capture") return undefined;
    throw error;
  }
}

/** A refusal inside a transaction, which must be rolled back. */
export class RefusedError extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
