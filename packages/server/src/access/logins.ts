import { createHash, randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";

/**
 * How a browser is signed in without ever seeing the token: a code, good once and for two minutes, is exchanged for a
 * cookie. Both are kept as hashes. Codes are in memory only. Cookies are in a file too, so that an open page comes back by
 * itself after the server was restarted; whoever reads the file learns no cookie.
 */
export class Logins {
  readonly #now: () => number;
  readonly #file: string | undefined;
  readonly #codes = new Map<string, number>();
  readonly #sessions: Map<string, number>;

  constructor(now: () => number, file?: string) {
    this.#now = now;
    this.#file = file;
    this.#sessions = file === undefined ? new Map() : readSessions(file);
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
    this.#save();
    return session;
  }

  isSignedIn(session: string): boolean {
    return (this.#sessions.get(hash(session)) ?? 0) > this.#now();
  }

  #save(): void {
    if (this.#file === undefined) return;
    const aside = `${this.#file}.${process.pid}`;
    writeFileSync(aside, JSON.stringify(Object.fromEntries(this.#sessions)), { mode: 0o600 });
    renameSync(aside, this.#file);
  }
}

/** A file that is not there or cannot be read signs nobody in: browsers need a new link then. */
function readSessions(file: string): Map<string, number> {
  try {
    const entries = Object.entries(JSON.parse(readFileSync(file, "utf8")) as object);
    return new Map(entries.filter((each): each is [string, number] => typeof each[1] === "number"));
  } catch {
    return new Map();
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
