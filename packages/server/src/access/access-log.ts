import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";

export interface Access {
  readonly method: string;
  /** Without the query, which may hold a code. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly by: string;
}

/**
 * A log of requests and their senders, one JSON line each, without bodies, headers or queries. A full file is
 * exchanged.
 */
export class AccessLog {
  readonly #file: string;
  readonly #now: () => number;
  readonly #largest: number;
  #lines: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(file: string, now: () => number, largest = 5 * 1024 * 1024) {
    this.#file = file;
    this.#now = now;
    this.#largest = largest;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  }

  write({ path, ms, ...access }: Access): void {
    const at = new Date(this.#now()).toISOString();
    this.#lines.push(JSON.stringify({ at, ...access, path: path.slice(0, 500), ms: Math.round(ms * 10) / 10 }));
    // Gathered, so that a request does not wait for a disk that only the log needs.
    this.#timer ??= setTimeout(() => this.flush(), 250).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length === 0) return;
    const text = `${this.#lines.join("\n")}\n`;
    this.#lines = [];
    try {
      if ((statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0) > this.#largest)
        renameSync(this.#file, `${this.#file}.1`);
      appendFileSync(this.#file, text, { mode: 0o600 });
    } catch {
      // A full disk must not end the server; what it did is in the history.
    }
  }
}
