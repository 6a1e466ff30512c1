import { existsSync } from "node:fs";
import { syncFile } from "../config/sync-secrets.ts";
import type { Feed } from "../events/feed.ts";
import type { Store } from "../store/open-store.ts";
import { SyncRows } from "../store/sync-rows.ts";
import type { Sync } from "../sync/sync.ts";
import type { SyncStatus } from "../sync/sync-status.ts";

/** How soon a login by another process is noticed. */
const LOOK_MS = 2000;

/** The state of sync in short, as events and the status of a workspace have it. */
export interface SyncSummary {
  readonly state: SyncStatus["state"];
  /** The operations that the server has not confirmed. */
  readonly pending: number;
  readonly problem?: string;
}

/** The sync of a store, loaded when it is first needed: a machine that does not sync does not pay for it. */
export class BackgroundSync {
  readonly #store: Store;
  readonly #feed: () => Feed | undefined;
  #sync: Promise<Sync> | undefined;
  #look: NodeJS.Timeout | undefined;
  #last = "";

  /** `feed`: told when something has changed, if there is one. */
  constructor(store: Store, feed: () => Feed | undefined) {
    this.#store = store;
    this.#feed = feed;
  }

  load(): Promise<Sync> {
    this.#sync ??= import("../sync/sync.ts").then(({ Sync }) => {
      const { directories, identity, shared } = this.#store;
      const onStep = () => this.#feed()?.lookSoon();
      // A state that cannot be read now is told after the next pass.
      const onPass = () => void this.announce().catch(() => undefined);
      return new Sync({ directories, identity, device: shared.threads.device, onStep, onPass });
    });
    return this.#sync;
  }

  async summary(): Promise<SyncSummary> {
    return this.#isLoggedIn() ? summaryOf((await this.load()).status()) : { state: "off", pending: 0 };
  }

  /** Tells readers of events if the state of sync is another than was told last. */
  async announce(): Promise<void> {
    if (this.#sync) this.#tell((await this.#sync).status());
  }

  /** The readers of a thread besides the vault, as the server last said it. */
  readersOf(thread: string): readonly string[] {
    return new SyncRows(this.#store.shared.database).thread(thread).state.shared ?? [];
  }

  /** Syncs in the background from when this machine is logged in, by whichever process. */
  start(): void {
    const look = () => {
      if (!this.#isLoggedIn()) return;
      clearInterval(this.#look);
      void this.load().then((sync) => sync.start());
    };
    this.#look = setInterval(look, LOOK_MS);
    this.#look.unref();
    look();
  }

  #isLoggedIn(): boolean {
    return existsSync(syncFile(this.#store.directories.config));
  }

  #tell(status: SyncStatus): void {
    const feed = this.#feed();
    feed?.lookSoon();
    const event = { type: "sync-changed", ...summaryOf(status) };
    const text = JSON.stringify(event);
    if (text !== this.#last) feed?.tell(event);
    this.#last = text;
  }

  async close(): Promise<void> {
    clearInterval(this.#look);
    await (await this.#sync)?.close();
  }
}

function summaryOf({ state, pending, problem, threads }: SyncStatus): SyncSummary {
  const message = problem?.message ?? threads.find(({ error }) => error)?.error?.message;
  return { state, pending, ...(message === undefined ? {} : { problem: message }) };
}
