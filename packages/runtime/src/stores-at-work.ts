import { openWorkspace, type Workspace } from "@retake/workspace";
import type { Store } from "./open-store.ts";
import type { Stores } from "./stores.ts";
import { type Hold, holdWorkspace } from "./undo/hold-workspace.ts";
import type { Identity } from "./undo/identity.ts";
import { recoverStore } from "./undo/recover-store.ts";
import { TakeBack } from "./undo/take-back.ts";
import { ThreadFiles } from "./undo/thread-files.ts";
import type { Waiting } from "./undo/wait-for-lock.ts";

/** A store with what works on the files of one workspace in it. */
export interface AtWork {
  readonly store: Store;
  readonly workspace: Workspace;
  readonly files: ThreadFiles;
  readonly back: TakeBack;
}

export interface Place extends Pick<Waiting, "onWait"> {
  readonly root: string;
  readonly state: string;
  readonly identity: Identity;
  readonly stays?: boolean | undefined;
}

/**
 * The stores as they work on one workspace. Both work on the same files, so one lock is for both, and whoever
 * gets it finishes what was interrupted in either, before it looks at the files.
 */
export class StoresAtWork {
  readonly hold: Hold;
  readonly #root: string;
  readonly #stays: boolean;
  readonly #identity: Identity;
  readonly #opened = new Map<Store, AtWork>();

  constructor(stores: Stores, place: Place) {
    const { root, identity } = place;
    this.#root = root;
    this.#stays = place.stays ?? false;
    this.#identity = identity;
    this.hold = holdWorkspace(place, async (lock) => {
      for (const store of stores.all()) {
        await recoverStore({ store, root, identity, workspace: () => this.in(store).workspace }, lock);
      }
    });
  }

  in(store: Store): AtWork {
    const opened = this.#opened.get(store);
    if (opened) return opened;
    const { directory, database, threads } = store;
    // On the store's own connection: an operation and its files are one transaction.
    const workspace = openWorkspace({ root: this.#root, store: directory, database, thread: this.#stays });
    const made = {
      store,
      workspace,
      files: new ThreadFiles(workspace, threads, this.#identity),
      back: new TakeBack(threads, workspace, this.#identity, this.hold, store.disk),
    };
    this.#opened.set(store, made);
    return made;
  }

  async close(): Promise<void> {
    await this.hold.settled();
    for (const { workspace } of this.#opened.values()) await workspace.close();
  }
}
