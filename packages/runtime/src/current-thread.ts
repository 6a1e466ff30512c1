import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ThreadSummary } from "./store/thread-store.ts";

/**
 * The thread that a workspace stands at: the most recent, which is the one that was changed last or
 * that the user switched to since.
 */
export class CurrentThread {
  readonly #file: string;

  /** `state` is the directory for what can be lost; `root` the workspace. */
  constructor(state: string, root: string) {
    this.#file = join(state, "current", createHash("sha256").update(root).digest("hex").slice(0, 32));
  }

  /** Of these, which are sorted by when they were changed, the last first. */
  among(threads: readonly ThreadSummary[]): ThreadSummary | undefined {
    const [latest] = threads;
    const chosen = this.#chosen();
    if (!latest || !chosen || latest.updated_at > chosen.at) return latest;
    return threads.find(({ id }) => id === chosen.thread) ?? latest;
  }

  choose(thread: string, at: number): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    // Renamed into place, so that no one ever reads half of it.
    writeFileSync(`${this.#file}.${process.pid}`, JSON.stringify({ thread, at } satisfies Choice), { mode: 0o600 });
    renameSync(`${this.#file}.${process.pid}`, this.#file);
  }

  /** It is a convenience that may be lost: what cannot be read is no choice. */
  #chosen(): Choice | undefined {
    try {
      const choice = JSON.parse(readFileSync(this.#file, "utf8")) as Partial<Choice> | null;
      if (typeof choice?.thread !== "string" || typeof choice.at !== "number") return undefined;
      return { thread: choice.thread, at: choice.at };
    } catch {
      return undefined;
    }
  }
}

interface Choice {
  readonly thread: string;
  readonly at: number;
}
