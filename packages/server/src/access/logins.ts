import { createHash, randomBytes } from "node:crypto";

/**
 * How a browser is signed in without ever seeing the token: a code, good once and for two minutes, is
 * exchanged for a cookie. Both are kept as hashes and in memory only: when the server ends, so do they.
 */
export class Logins {
  readonly #now: () => number;
  readonly #codes = new Map<string, number>();
  readonly #sessions = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  createCode(): { readonly code: string; readonly expires_at: string } {
    const code = randomBytes(32).toString("base64url");
    const expires = this.#now() + CODE_MS;
    keep(this.#codes, hash(code), expires, this.#now());
    return { code, expires_at: new Date(expires).toISOString() };
  }

  /** The cookie's value for a code, which is void from then on. */
  exchange(code: string): string | undefined {
    const expires = this.#codes.get(hash(code));
    this.#codes.delete(hash(code));
    if (expires === undefined || expires <= this.#now()) return undefined;
    const session = randomBytes(32).toString("base64url");
    keep(this.#sessions, hash(session), this.#now() + SESSION_MS, this.#now());
    return session;
  }

  isSignedIn(session: string): boolean {
    return (this.#sessions.get(hash(session)) ?? 0) > this.#now();
  }
}

export const SESSION_MS = 7 * 24 * 60 * 60 * 1000;
const CODE_MS = 2 * 60 * 1000;
const MOST = 200;

/** Drops expired keys, and the oldest if there are too many. */
function keep(map: Map<string, number>, key: string, expires: number, now: number): void {
  for (const [each, end] of map) if (end <= now || map.size >= MOST) map.delete(each);
  map.set(key, expires);
}

/** Keys are looked up by their hash, so that the time of a lookup reveals nothing about stored keys. */
function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
