import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ThreadSummary } from "./thread-store.ts";

/**
 * The current thread of a workspace: the one that was changed last or that the user switched to later. It compares the
 * numbers that the store gives operations, so a clock that goes back does no harm.
 */
export class CurrentThread {
  readonly #file: string;

  /** `state` is the directory for data that may be lost; `root` is the workspace. */
  constructor(state: string, root: string) {
    this.#file = join(state, "current", createHash("sha256").update(root).digest("hex").slice(0, 32));
  }

  /** Picks one of these threads, which are sorted by their last change, newest first. */
  among(threads: readonly ThreadSummary[]): ThreadSummary | undefined {
    const choice = this.#choice();
    if (!choice) return threads[0];
    const changed = threads.find((each) => each.sequence > (each.private ? choice.private : choice.shared));
    return changed ?? threads.find(({ id }) => id === choice.thread) ?? threads[0];
  }

  /** Records the user's choice with the numbers of the last operations: later operations override it. */
  choose(thread: string, last: LastOperations): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    // Renamed into place, so that nobody ever reads half of it.
    writeFileSync(`${this.#file}.${process.pid}`, JSON.stringify({ thread, ...last } satisfies ThreadChoice), {
      mode: 0o600,
    });
    renameSync(`${this.#file}.${process.pid}`, this.#file);
  }

  /** The choice is a convenience that may be lost: an unreadable one counts as none. */
  #choice(): ThreadChoice | undefined {
    try {
      const choice = JSON.parse(readFileSync(this.#file, "utf8")) as Partial<ThreadChoice> | null;
      const { thread, shared, private: own } = choice ?? {};
      if (typeof thread !== "string" || typeof shared !== "number" || typeof own !== "number") return undefined;
      return { thread, shared, private: own };
    } catch {
      return undefined;
    }
  }
}

/** The numbers in the shared store and in the private one. */
interface LastOperations {
  readonly shared: number;
  readonly private: number;
}

interface ThreadChoice extends LastOperations {
  readonly thread: string;
}
