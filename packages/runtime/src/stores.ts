import { existsSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "@retake/workspace";
import { deviceId } from "./device-id.ts";
import { openStore, type Store } from "./open-store.ts";
import { damageOf } from "./store/damaged-threads.ts";

/**
 * L8: threads are in one of two stores. The shared one is the data directory; what is committed there is
 * written down for sync. Private threads, with their captures and all they hold of files, are in
 * a store of their own inside it, made with the first of them. Whoever syncs opens the shared one and has
 * no way to what is private.
 */
export class Stores {
  readonly shared: Store;
  readonly #privateDirectory: string;
  readonly #device: string;
  #private: Store | undefined;
  /** A thread stays where it is. */
  readonly #found = new Map<string, Store>();

  constructor(data: string) {
    this.#privateDirectory = join(data, "private");
    this.#device = deviceId(data);
    this.shared = openStore(data, {
      ...{ outbox: true, device: this.#device },
      others: () => (this.private ? [this.private.database] : []),
    });
  }

  /** The store of private threads, if there ever was one: another process may have made it meanwhile. */
  get private(): Store | undefined {
    if (!this.#private && existsSync(join(this.#privateDirectory, "retake.db"))) return this.makePrivate();
    return this.#private;
  }

  makePrivate(): Store {
    this.#private ??= openStore(this.#privateDirectory, {
      ...{ outbox: false, device: this.#device },
      others: () => [this.shared.database],
    });
    return this.#private;
  }

  /** Those that there are. */
  all(): readonly Store[] {
    return this.private ? [this.shared, this.private] : [this.shared];
  }

  /** The store that a thread is in. */
  of(thread: string): Store {
    const store = this.find(thread);
    if (store) return store;
    throw (
      this.damageOf(thread) ??
      new StoreError("unknown-thread", `There is no thread ${thread} in this store. Nothing was changed.`)
    );
  }

  /** Why a thread that is not here cannot be read, where it was put aside. */
  damageOf(thread: string): StoreError | undefined {
    return this.all()
      .map(({ database }) => damageOf(database, thread))
      .find((damage) => damage !== undefined);
  }

  find(thread: string): Store | undefined {
    const known = this.#found.get(thread);
    if (known) return known;
    // The shared one first: as long as nothing private is asked for, the private store stays closed.
    const store = this.shared.threads.has(thread) ? this.shared : this.private;
    if (!store?.threads.has(thread)) return undefined;
    this.#found.set(thread, store);
    return store;
  }

  close(): void {
    this.#private?.database.close();
    this.shared.database.close();
  }
}
