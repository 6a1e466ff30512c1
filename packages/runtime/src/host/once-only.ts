import { createHash } from "node:crypto";
import type { RequestKeys } from "../store/request-keys.ts";
import { HostError } from "./host-error.ts";

/** Requests with a key: the same key twice does it once, and answers the same. */
export class OnceOnly {
  readonly #keys: RequestKeys;
  readonly #now: () => number;
  readonly #running = new Map<string, { readonly asked: string; readonly answer: Promise<string> }>();

  constructor(keys: RequestKeys, now: () => number) {
    this.#keys = keys;
    this.#now = now;
  }

  /** The answer of `work`, or the one that was given before. What fails was not done and may be asked again. */
  async run(key: string, route: string, body: string, work: () => Promise<string>): Promise<string> {
    const asked = `${route} ${createHash("sha256").update(body).digest("hex")}`;
    const running = this.#running.get(key);
    if (running) {
      if (running.asked !== asked) throw reused();
      return running.answer;
    }
    const request = this.#keys.begin(key, asked, this.#now());
    if (request.kind === "answered") return request.answer;
    if (request.kind === "other") throw reused();
    if (request.kind === "unanswered")
      throw new HostError(
        "key-unanswered",
        "A request with this key was begun and its process ended before it answered. Look at the history whether it was done; then use another key.",
      );
    const answer = this.#do(key, work);
    this.#running.set(key, { asked, answer });
    try {
      return await answer;
    } finally {
      this.#running.delete(key);
    }
  }

  async #do(key: string, work: () => Promise<string>): Promise<string> {
    try {
      const answer = await work();
      this.#keys.answer(key, answer);
      return answer;
    } catch (error) {
      this.#keys.forget(key);
      throw error;
    }
  }
}

function reused(): HostError {
  return new HostError("key-reused", "This key was used for another request. Nothing was changed; use a new one.");
}
