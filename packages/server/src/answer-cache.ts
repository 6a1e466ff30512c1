import { createHash } from "node:crypto";

export interface CachedAnswer {
  readonly body: Buffer;
  readonly etag: string;
}

/** Limits for all answers together, and for one. */
const MOST_BYTES = 16 * 1024 * 1024;
const LARGEST = 1024 * 1024;

/**
 * Answers by request. An answer is valid while its thread has the same stamp, which is read anew for every request. The
 * least recently used answers go first.
 */
export class AnswerCache {
  readonly #answers = new Map<string, CachedAnswer & { readonly stamp: string }>();
  #bytes = 0;

  get(url: string, stamp: string): CachedAnswer | undefined {
    const found = this.#answers.get(url);
    if (!found) return undefined;
    this.#drop(url);
    if (found.stamp !== stamp) return undefined;
    this.#put(url, found);
    return found;
  }

  add(url: string, stamp: string, text: string): CachedAnswer {
    const body = Buffer.from(text);
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
    this.#drop(url);
    if (body.length <= LARGEST) this.#put(url, { stamp, body, etag });
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#drop(oldest);
    }
    return { body, etag };
  }

  #put(url: string, answer: CachedAnswer & { readonly stamp: string }): void {
    this.#answers.set(url, answer);
    this.#bytes += answer.body.length;
  }

  #drop(url: string): void {
    this.#bytes -= this.#answers.get(url)?.body.length ?? 0;
    this.#answers.delete(url);
  }
}
