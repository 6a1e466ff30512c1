import { createHash } from "node:crypto";
import type { RequestKeys } from "../store/request-keys.ts";
import { ActionError } from "./action-error.ts";

/**
 * Requests with a key: the same key twice does it once, and answers the same. An answer can hold what a private thread
 * holds, so as soon as there is a private store, all of them are kept there: nobody but this server asks for them.
 */
export class OnceOnly {
  readonly #stores: () => readonly RequestKeys[];
  readonly #now: () => number;
  readonly #running = new Map<string, { readonly request: string; readonly answer: Promise<string> }>();

  /** The keys of every store that there is, the private one last. */
  constructor(stores: () => readonly RequestKeys[], now: () => number) {
    this.#stores = stores;
    this.#now = now;
  }

  /** A short command has no need to: it takes no keys, and must not write where it only reads. */
  forgetOld(): void {
    for (const keys of this.#stores()) keys.forgetOld(this.#now());
  }

  /**
   * Returns the answer of `work`, or the earlier answer for this key. A failed call did nothing and may be repeated.
   */
  async run(key: string, route: string, body: string, work: () => Promise<string>): Promise<string> {
    const request = `${route} ${createHash("sha256").update(body).digest("hex")}`;
    const running = this.#running.get(key);
    if (running) {
      if (running.request !== request) throw reused();
      return running.answer;
    }
    const known = this.#find(key);
    if (known) {
      if (known.request !== request) throw reused();
      if (known.answer === undefined) throw unanswered();
      return known.answer;
    }
    const answer = this.#do(key, request, work);
    this.#running.set(key, { request, answer });
    try {
      return await answer;
    } finally {
      this.#running.delete(key);
    }
  }

  #find(key: string) {
    const found = this.#stores().flatMap((keys) => keys.find(key, this.#now()) ?? []);
    return found.find(({ answer }) => answer !== undefined) ?? found[0];
  }

  async #do(key: string, request: string, work: () => Promise<string>): Promise<string> {
    const begun = this.#keys();
    begun.begin(key, request, this.#now());
    let answer: string;
    try {
      answer = await work();
    } catch (error) {
      begun.forget(key);
      throw error;
    }
    const keys = this.#keys();
    // A request that made the first private thread was begun where none could be.
    if (keys.find(key, this.#now()) === undefined) {
      keys.begin(key, request, this.#now());
      begun.forget(key);
    }
    keys.answer(key, answer);
    return answer;
  }

  #keys(): RequestKeys {
    return this.#stores().at(-1) as RequestKeys;
  }
}

function reused(): ActionError {
  return new ActionError("key-reused", "This key was used for another request. Nothing was changed; use a new one.");
}

function unanswered(): ActionError {
  return new ActionError(
    "key-unanswered",
    "A request with this key was begun and its process ended before it answered. Look at the history whether it was done; then use another key.",
  );
}
