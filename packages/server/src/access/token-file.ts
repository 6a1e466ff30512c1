import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/**
 * The token that programs of this user show: 256 bits in a file that only the user can read. The file is
 * the truth: exchanged while the server runs, the old token is void for all requests that come after; removed, nobody is let
 * in.
 */
export class TokenFile {
  readonly #path: string;
  #seen = "";
  #hash: Buffer | undefined;
  /** Whether the file was looked at in this turn of the event loop. */
  #looked = false;

  constructor(path: string) {
    this.#path = path;
    createToken(path);
  }

  matches(token: string): boolean {
    const expected = this.#expected();
    // Hashes are of one length, so that comparing says nothing of how much of the token was right.
    return expected !== undefined && timingSafeEqual(expected, hashOf(token));
  }

  /** Looked at once for all requests that came together. */
  #expected(): Buffer | undefined {
    if (this.#looked) return this.#hash;
    this.#looked = true;
    setImmediate(() => {
      this.#looked = false;
    });
    try {
      const { mtimeMs, ino, size } = statSync(this.#path);
      const looks = `${mtimeMs} ${ino} ${size}`;
      if (looks !== this.#seen) {
        const token = readFileSync(this.#path, "utf8").trim();
        this.#hash = token.length >= SHORTEST ? hashOf(token) : undefined;
        this.#seen = looks;
      }
    } catch {
      this.#seen = "";
      this.#hash = undefined;
    }
    return this.#hash;
  }
}

export function readToken(path: string): string {
  return readFileSync(path, "utf8").trim();
}

/** Anything shorter was not made by us and could be guessed. */
const SHORTEST = 32;

function createToken(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    // Exclusively: of two servers that start at once, one makes it and both use it.
    const file = openSync(path, "wx", 0o600);
    writeSync(file, `${randomBytes(32).toString("base64url")}\n`);
    closeSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function hashOf(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
