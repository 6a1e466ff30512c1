import { existsSync } from "node:fs";
import { join } from "node:path";
import { canonical, cutWindow, isRefusal, type Window } from "@retake/core";
import { type Database, openDatabase, ThreadStore } from "@retake/runtime";
import { textOf } from "../processes/log-of.ts";
import type { RetakePlace } from "../testing/retake-place.ts";

/** The state of a thread right after an operation, read from the stores by another process than the server. */
export class StateOracle {
  readonly #place: RetakePlace;
  readonly #open = new Map<string, { readonly database: Database; readonly threads: ThreadStore }>();

  constructor(place: RetakePlace) {
    this.#place = place;
  }

  /** A window that somebody shows, and the one of the state that is stored at the same operation, as texts. */
  compare(thread: string, { state, take, from, to, groups, previous, next, total }: Window) {
    const facts = { take, from, to, groups, previous, next, total };
    return { shown: `${canonical(facts)} ${textOf(state)}`, stored: this.#read(thread, state.head ?? "", facts) };
  }

  close(): void {
    for (const { database } of this.#open.values()) database.close();
  }

  #read(thread: string, operation: string, { from, to, groups, take }: Omit<Window, "state">): string {
    const threads = ["", "private"].flatMap((part) => this.#threadsIn(part) ?? []);
    const store = threads.find((each) => each.has(thread));
    if (!store) throw new Error(`no store has the thread ${thread}`);
    return store.read(thread, (history) => {
      const cut = cutWindow(history.stateAt(operation), { from, to, groups }, take);
      if (isRefusal(cut)) throw new Error(cut.message);
      const { state, ...facts } = cut;
      return `${canonical(facts)} ${textOf(state)}`;
    });
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
