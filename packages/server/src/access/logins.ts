import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Signs with a secret of this home; undefined while there is none to rely on. `TokenFile` does. */
export type Sign = (text: string) => Buffer | undefined;

/**
 * How a browser is signed in without ever seeing the token: a code, good once and for two minutes, is exchanged for a
 * cookie. Codes are kept as hashes and in memory only. The server keeps no cookies: a cookie names its own end and is
 * signed with a key that is made from the token, so the next server of the same home knows it, and a new token voids all.
 *
 *     <end, in base 36>.<random>.<signature of both>
 */
export class Logins {
  readonly #now: () => number;
  readonly #sign: Sign;
  readonly #codes = new Map<string, number>();

  constructor(now: () => number, sign: Sign) {
    this.#now = now;
    this.#sign = sign;
  }

  createCode(): { readonly code: string; readonly expires_at: string } {
    const code = randomBytes(32).toString("base64url");
    const now = this.#now();
    const expires = now + CODE_MS;
    // Drops expired codes, and the oldest if there are too many.
    for (const [each, end] of this.#codes) if (end <= now || this.#codes.size >= MOST) this.#codes.delete(each);
    this.#codes.set(hash(code), expires);
    return { code, expires_at: new Date(expires).toISOString() };
  }

  /** The cookie's value for a code, which is void from then on. */
  exchange(code: string): string | undefined {
    const expires = this.#codes.get(hash(code));
    this.#codes.delete(hash(code));
    if (expires === undefined || expires <= this.#now()) return undefined;
    const claim = `${(this.#now() + SESSION_MS).toString(36)}.${randomBytes(16).toString("base64url")}`;
    const signature = this.#sign(claim)?.toString("base64url");
    return signature === undefined ? undefined : `${claim}.${signature}`;
  }

  isSignedIn(cookie: string): boolean {
    const [, claim = "", end = "", signature = ""] = /^(([0-9a-z]{1,11})\.[\w-]{22})\.([\w-]{43})$/.exec(cookie) ?? [];
    const expected = claim === "" ? undefined : this.#sign(claim);
    if (!expected || !timingSafeEqual(expected, Buffer.from(signature, "base64url"))) return false;
    return Number.parseInt(end, 36) > this.#now();
  }
}

export const SESSION_MS = 7 * 24 * 60 * 60 * 1000;
const CODE_MS = 2 * 60 * 1000;
const MOST = 200;

/** Codes are looked up by their hash, so that the time of a lookup reveals nothing about stored codes. */
function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
