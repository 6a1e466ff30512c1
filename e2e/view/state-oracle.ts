import { existsSync } from "node:fs";
import { join } from "node:path";
import type { State } from "@retake/core";
import { type Database, openDatabase, ThreadStore } from "@retake/runtime";
import { textOf } from "../processes/log-of.ts";
import type { RetakePlace } from "../testing/retake-place.ts";

/** What the stores say a thread was right after an operation, read by another process than the server. */
export class StateOracle {
  readonly #place: RetakePlace;
  readonly #open = new Map<string, { readonly database: Database; readonly threads: ThreadStore }>();
  readonly #known = new Map<string, string>();

  constructor(place: RetakePlace) {
    this.#place = place;
  }

  /** A state that somebody shows, and the one that is stored at the same operation, as texts. */
  compare(thread: string, state: State): { readonly shown: string; readonly stored: string } {
    const shown = textOf(state);
    const key = `${thread} ${state.head}`;
    const stored = this.#known.get(key) ?? this.#read(thread, state.head ?? "");
    this.#known.set(key, stored);
    return { shown, stored };
  }

  close(): void {
    for (const { database } of this.#open.values()) database.close();
  }

  #read(thread: string, operation: string): string {
    const threads = ["", "private"].flatMap((part) => this.#threadsIn(part) ?? []);
    const store = threads.find((each) => each.has(thread));
    if (!store) throw new Error(`no store has the thread ${thread}`);
    return store.read(thread, (history) => textOf(history.stateAt(operation)));
  }

  #threadsIn(part: string): ThreadStore | undefined {
    const file = join(this.#place.home, "data", part, "retake.db");
    if (!this.#open.has(file)) {
      if (!existsSync(file)) return undefined;
      const database = openDatabase(file);
      this.#open.set(file, { database, threads: new ThreadStore(database, { outbox: part === "" }) });
    }
    return this.#open.get(file)?.threads;
  }
}
