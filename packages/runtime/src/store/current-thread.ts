import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ThreadSummary } from "./thread-store.ts";

/**
 * The thread that a workspace stands at: the most recent, which is the one that was changed last or
 * that the user switched to since. A store counts its operations, so the clock may go back.
 */
export class CurrentThread {
  readonly #file: string;

  /** `state` is the directory for what can be lost; `root` the workspace. */
  constructor(state: string, root: string) {
    this.#file = join(state, "current", createHash("sha256").update(root).digest("hex").slice(0, 32));
  }

  /** Of these, which are sorted by when they were changed, the last first. */
  among(threads: readonly ThreadSummary[]): ThreadSummary | undefined {
    const choice = this.#choice();
    if (!choice) return threads[0];
    const changed = threads.find((each) => each.sequence > (each.private ? choice.private : choice.shared));
    return changed ?? threads.find(({ id }) => id === choice.thread) ?? threads[0];
  }

  /** With the numbers of the last operations that came before: those after them count for more. */
  choose(thread: string, last: LastOperations): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    // Renamed into place, so that no one ever reads half of it.
    writeFileSync(`${this.#file}.${process.pid}`, JSON.stringify({ thread, ...last } satisfies Choice), {
      mode: 0o600,
    });
    renameSync(`${this.#file}.${process.pid}`, this.#file);
  }

  /** It is a convenience that may be lost: what cannot be read is no choice. */
  #choice(): Choice | undefined {
    try {
      const choice = JSON.parse(readFileSync(this.#file, "utf8")) as Partial<Choice> | null;
      const { thread, shared, private: own } = choice ?? {};
      if (typeof thread !== "string" || typeof shared !== "number" || typeof own !== "number") return undefined;
      return { thread, shared, private: own };
    } catch {
      return undefined;
    }
  }
}

/** In the shared store and in the private one. */
interface LastOperations {
  readonly shared: number;
  readonly private: number;
}

interface Choice extends LastOperations {
  readonly thread: string;
}
