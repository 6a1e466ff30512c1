import { openFiles, type WorkspaceFiles, type WorkspaceLock } from "@retake/workspace";
import type { Store } from "../store/open-store.ts";
import type { StorePart } from "../store/store-part.ts";
import { type Hold, holdWorkspace } from "./hold-workspace.ts";
import { TakeBack } from "./take-back.ts";
import { ThreadFiles } from "./thread-files.ts";
import type { Waiting } from "./wait-for-lock.ts";

/** A part of the store with what works on the files of one workspace in it. */
export interface AtWork {
  readonly store: StorePart;
  readonly workspace: WorkspaceFiles;
  readonly files: ThreadFiles;
  readonly back: TakeBack;
}

interface PartsOptions {
  readonly root: string;
  readonly stays?: boolean | undefined;
  readonly onWait?: Waiting["onWait"] | undefined;
  /** Finishes what killed processes left half done in this part. */
  readonly recover: (part: AtWork["store"], files: () => WorkspaceFiles, lock: WorkspaceLock) => Promise<unknown>;
}

/**
 * The parts of the store as they work on one workspace. Both work on the same files, so there is one lock for both, and
 * the process that gets it finishes what was interrupted in either, before it looks at the files.
 */
export class PartsAtWork {
  readonly hold: Hold;
  readonly #store: Store;
  readonly #root: string;
  readonly #stays: boolean;
  readonly #opened = new Map<StorePart, AtWork>();

  constructor(store: Store, { root, stays = false, onWait, recover }: PartsOptions) {
    const { directories } = store;
    this.#store = store;
    this.#root = root;
    this.#stays = stays;
    this.hold = holdWorkspace({ root, state: directories.state, onWait }, async (lock) => {
      for (const part of store.parts()) await recover(part, () => this.in(part).workspace, lock);
    });
  }

  in(part: StorePart): AtWork {
    const opened = this.#opened.get(part);
    if (opened) return opened;
    const { directory, database, threads, disk } = part;
    const { identity } = this.#store;
    // On the store's own connection: an operation and its files are one transaction.
    const workspace = openFiles({ root: this.#root, store: directory, database, thread: this.#stays });
    const made = {
      store: part,
      workspace,
      files: new ThreadFiles(workspace, threads, identity),
      back: new TakeBack(threads, workspace, identity, this.hold, disk),
    };
    this.#opened.set(part, made);
    return made;
  }

  async close(): Promise<void> {
    try {
      // While the files of the last undo are flushed on other threads.
      for (const { workspace } of this.#opened.values()) await workspace.close();
    } finally {
      await this.hold.settled();
    }
  }
}
