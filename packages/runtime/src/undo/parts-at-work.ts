import { openFiles, type WorkspaceFiles, type WorkspaceLock } from "@retake/workspace";
import type { Store } from "../store/open-store.ts";
import type { StorePart } from "../store/store-part.ts";
import { type Hold, holdWorkspace } from "./hold-workspace.ts";
import { TakeBack } from "./take-back.ts";
import { ThreadFiles } from "./thread-files.ts";
import type { WaitOptions } from "./wait-for-lock.ts";

/** A part of the store, with the files of one workspace opened for it. */
export interface AtWork {
  readonly store: StorePart;
  readonly workspace: WorkspaceFiles;
  readonly files: ThreadFiles;
  readonly back: TakeBack;
}

interface PartsOptions {
  readonly root: string;
  readonly stays?: boolean | undefined;
  readonly onWait?: WaitOptions["onWait"] | undefined;
  /** Completes what killed processes left unfinished in this part. */
  readonly recover: (part: AtWork["store"], files: () => WorkspaceFiles, lock: WorkspaceLock) => Promise<unknown>;
}

/**
 * The parts of the store, working on one workspace. Both work on the same files, so they share one lock. A process that
 * gets the lock completes what was interrupted in either part, before it looks at the files.
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
    // On the store's own connection, so that an operation and its files are one transaction.
    const others = () => this.#store.parts().filter((each) => each !== part);
    const lenders = () => others().map((each) => this.in(each).workspace.objects);
    const workspace = openFiles({ root: this.#root, store: directory, database, thread: this.#stays, lenders });
    const parts = {
      store: part,
      workspace,
      files: new ThreadFiles(workspace, threads, identity),
      back: new TakeBack(threads, workspace, identity, this.hold, disk),
    };
    this.#opened.set(part, parts);
    return parts;
  }

  async close(): Promise<void> {
    try {
      // Meanwhile other threads flush the files of the last undo.
      for (const { workspace } of this.#opened.values()) await workspace.close();
    } finally {
      await this.hold.settled();
    }
  }
}
