import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * The token that programs of this user show: 256 bits in a file that only the user can read. The file is
 * the truth: exchanged while the server runs, the old token is void for all requests that come after; removed, or no longer
 * the user's alone, nobody is let in. A server that starts makes a token anew where others may know the old one.
 */
export class TokenFile {
  readonly #path: string;
  #seen = "";
  #hash: Buffer | undefined;
  /** Whether the file was looked at in this turn of the event loop. */
  #looked = false;
  /** Why the token that was there is not used any more; undefined where it is, or where none was. */
  readonly renewed: string | undefined;

  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const problem = problemOf(path);
    if (problem !== undefined) makeToken(path);
    this.renewed = problem === MISSING ? undefined : problem;
  }

  matches(token: string): boolean {
    const expected = this.#expected();
    // Hashes are of one length, so that comparing says nothing of how much of the token was right.
    return expected !== undefined && timingSafeEqual(expected, hashOf(token));
  }

  /** A signature that only a server of this home can make or check; of no use once the token is another. */
  sign(text: string): Buffer | undefined {
    const key = this.#expected();
    return key && createHmac("sha256", key).update(`cookie ${text}`).digest();
  }

  /** Looked at once for all requests that came together. */
  #expected(): Buffer | undefined {
    if (this.#looked) return this.#hash;
    this.#looked = true;
    setImmediate(() => {
      this.#looked = false;
    });
    try {
      // A change of its mode or owner changes the ctime.
      const { ctimeMs, mtimeMs, ino, size } = lstatSync(this.#path);
      const looks = `${ctimeMs} ${mtimeMs} ${ino} ${size}`;
      if (looks !== this.#seen) {
        this.#hash = hashOf(readToken(this.#path));
        this.#seen = looks;
      }
    } catch {
      this.#seen = "";
      this.#hash = undefined;
    }
    return this.#hash;
  }
}

/** The token, where it can be relied on; otherwise an error that says why not. */
export function readToken(path: string): string {
  const problem = problemOf(path);
  if (problem !== undefined) throw new Error(`The token in ${path} is not used: ${problem}. Start the server again.`);
  return readFileSync(path, "utf8").trim();
}

const MISSING = "there is none";

/** Anything shorter was not made by us and could be guessed. */
const SHORTEST = 32;

/** Why others may know or have made the token of a file. */
function problemOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return MISSING;
  if (stats.isSymbolicLink()) return "it lay behind a link";
  if (!stats.isFile()) return "it was no file";
  if (stats.uid !== process.getuid?.()) return "the file was another user's";
  if ((stats.mode & 0o077) !== 0) return "other users could read or change it";
  return readFileSync(path, "utf8").trim().length < SHORTEST ? "it was empty or too short" : undefined;
}

/** Renamed into place: the target of a link stays unchanged, and nobody ever reads half a token. */
function makeToken(path: string): void {
  const temporary = `${path}.${process.pid}`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  renameSync(temporary, path);
}

function hashOf(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
