import { close, constants, openSync, unlinkSync } from "node:fs";

/**
 * Deletes files whose names go at once, and whose space others give back while nobody waits. That takes ext4 up to
 * a millisecond a file, where it was flushed and the disk hears of it (`discard`). A file that somebody has open keeps its
 * space when its name goes, so each is held while it is deleted, and closed on one of Node's own threads.
 */
export class Deletions {
  readonly #closing: Promise<void>[] = [];

  delete(place: string | Buffer): void {
    const held = hold(place);
    try {
      unlinkSync(place);
    } finally {
      if (held !== undefined) this.#closing.push(new Promise((resolve) => close(held, () => resolve())));
    }
  }

  /** Waits when many files are held, so that they do not use up the process's descriptors. */
  async room(): Promise<void> {
    if (this.#closing.length >= mostHeld) await this.drained();
  }

  /** Resolves when all space is given back. */
  async drained(): Promise<void> {
    await Promise.all(this.#closing.splice(0));
  }
}

const mostHeld = 256;
/** Linux's O_PATH: needs no right to read, and opens what must not be opened otherwise. */
const heldOnly = 0o10000000;

function hold(place: string | Buffer): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return openSync(place, heldOnly | constants.O_NOFOLLOW);
  } catch {
    // Then it is deleted as anything is.
    return undefined;
  }
}
