import {
  type Actor,
  activeTake,
  type Built,
  type History,
  noteFilesEdited,
  type Operation,
  type Refusal,
  refuse,
  tree,
} from "@retake/core";
import {
  type Captured,
  type CaptureOptions,
  type Change,
  changesBetween,
  type Database,
  StoreError,
  type Transition,
  type WorkspaceFiles,
} from "@retake/workspace";
import type { Identity } from "../store/identity.ts";
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
    const noted = this.#store.change(thread, (history) => this.#note(history, captured));
    if ("code" in noted && noted.code !== "nothing-to-do") throw new RefusedError(noted);
    return captured;
  }

  /** The same, but the operation is only returned: it is committed with the decision made on it, or never (F26). */
  async look(
    thread: string,
    options: CaptureOptions = {},
  ): Promise<{ captured: Captured; note: Operation | undefined }> {
    const captured = await this.#workspace.capture(options);
    const note = this.#store.read(thread, (history) => this.#note(history, captured));
    return { captured, note: note.kind === "operation" ? note.operation : undefined };
  }

  #note({ state }: History, { id }: Captured): Built {
    const take = activeTake(state);
    const known = tree(state, take);
    const actor: Actor = { kind: "editor" };
    // The files may be equal although the captures have different names.
    const found = this.same(known, id) ? known : id;
    return noteFilesEdited(state, { ...this.#identity.context(actor), take }, { tree: found });
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

  changes(before: string, after: string): Change[] {
    return before === "" || after === "" ? [] : this.#changes(before, after);
  }

  /** The changes between two trees; undefined when garbage collection has deleted one of them. */
  keptChanges(before: string, after: string): Change[] | undefined {
    return keptChanges(this.#workspace.database, before, after);
  }

  #changes(before: string, after: string): Change[] {
    const changes = this.keptChanges(before, after);
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

/** The changes between two trees of a store; undefined when garbage collection has deleted one of them. */
export function keptChanges(database: Database, before: string, after: string): Change[] | undefined {
  try {
    return changesBetween(database, before, after);
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
