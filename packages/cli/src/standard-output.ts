import { fstatSync, writeSync } from "node:fs";
import type { OutputStream } from "./world.ts";

const DESCRIPTOR = 1;

/**
 * The process's standard output. `process.stdout` is used for terminals only: it loads Node's streams and sockets, which
 * takes as long as a sixth of an empty Node. Where it cannot be written, on a full disk for instance, the command is carried
 * out all the same, and `onLost` is told once.
 */
export function openStandardOutput(onLost: (error: Error) => void): OutputStream {
  return isCharacterDevice() ? streamOutput(onLost) : new DescriptorOutput(onLost);
}

class DescriptorOutput implements OutputStream {
  readonly #onLost: (error: Error) => void;
  #state: "open" | "closed" | OutputStream = "open";

  constructor(onLost: (error: Error) => void) {
    this.#onLost = onLost;
  }

  get writableLength(): number {
    return typeof this.#state === "string" ? 0 : this.#state.writableLength;
  }

  write(content: string | Uint8Array): void {
    if (this.#state === "closed") return;
    if (this.#state !== "open") return void this.#state.write(content);
    let rest: Uint8Array = typeof content === "string" ? Buffer.from(content) : content;
    try {
      while (rest.byteLength > 0) rest = rest.subarray(writeSync(DESCRIPTOR, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EAGAIN") {
        // Somebody made the pipe non-blocking: a stream waits until there is room.
        this.#state = streamOutput(this.#onLost);
        this.#state.write(rest);
        return;
      }
      this.#state = "closed";
      if (code !== "EPIPE") this.#onLost(error as Error);
    }
  }
}

/** A reader that had enough is no failure: the command is carried out all the same. */
function streamOutput(onLost: (error: Error) => void): OutputStream {
  let isLost = false;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && !isLost) onLost(error);
    isLost = true;
  });
  return process.stdout;
}

/** As every terminal is. */
function isCharacterDevice(): boolean {
  try {
    return fstatSync(DESCRIPTOR).isCharacterDevice();
  } catch {
    // The descriptor is closed; `process.stdout` then prints nowhere.
    return true;
  }
}
