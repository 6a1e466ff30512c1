import { close, constants, openSync, unlinkSync } from "node:fs";

/**
 * Deletes files so that their names disappear at once, and their space is freed in the background. Freeing takes ext4
 * up to a millisecond a file that was flushed, when the disk is told (`discard`). An open file keeps its space after
 * its name is deleted; so each file is held open while it is deleted, and closed on one of Node's own threads.
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

  /** Waits when many files are held open, so that the process does not run out of descriptors. */
  async room(): Promise<void> {
    if (this.#closing.length >= MOST_HELD) await this.drained();
  }

  /** Resolves when all space is freed. */
  async drained(): Promise<void> {
    await Promise.all(this.#closing.splice(0));
  }
}

const MOST_HELD = 256;
/** Linux's O_PATH: needs no read permission, and is safe for files that must not be opened otherwise. */
const HELD_ONLY = 0o10000000;

function hold(place: string | Buffer): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return openSync(place, HELD_ONLY | constants.O_NOFOLLOW);
  } catch {
    // It is then deleted in the ordinary way.
    return undefined;
  }
}
