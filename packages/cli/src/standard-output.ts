import { fstatSync, writeSync } from "node:fs";
import type { OutputStream } from "./world.ts";

const DESCRIPTOR = 1;

/**
 * The process's standard output. `process.stdout` is used for terminals only: it loads Node's streams and sockets, which
 * takes as long as a sixth of an empty Node.
 */
export function openStandardOutput(): OutputStream {
  return isCharacterDevice() ? streamOutput() : new DescriptorOutput();
}

class DescriptorOutput implements OutputStream {
  #state: "open" | "closed" | OutputStream = "open";

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
      if (code === "EPIPE") this.#state = "closed";
      else if (code === "EAGAIN") {
        // Somebody made the pipe non-blocking: a stream waits until there is room.
        this.#state = streamOutput();
        this.#state.write(rest);
      } else throw error;
    }
  }
}

/** A reader that had enough is no failure: the command is carried out all the same. */
function streamOutput(): OutputStream {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
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
