import { fstatSync, writeSync } from "node:fs";

/** Where a command prints, text and bytes. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  /** How wide a terminal is. */
  readonly columns?: number | undefined;
  /** How much is still to be written. */
  readonly writableLength: number;
  write(content: string | Uint8Array): unknown;
}

const DESCRIPTOR = 1;
let opened: OutputStream | undefined;

/**
 * The process's standard output. `process.stdout` is used for terminals only: it loads Node's streams and sockets, which
 * takes as long as a sixth of an empty Node.
 */
export function standardOutput(): OutputStream {
  opened ??= isCharacterDevice() ? streamOutput() : new DescriptorOutput();
  return opened;
}

/**
 * Ends the process once all it printed is written, with this exit code unless a signal gave it one. Where nothing is left to
 * write it ends at once: Node's own way takes its heap apart first, one part in twenty of a short command's time.
 */
export function endProcess(code: number): void {
  process.exitCode ??= code;
  const pending = opened?.writableLength ?? 0;
  // On Windows, what goes to the standard error may still be on its way, too.
  if (pending === 0 && process.platform !== "win32") process.exit();
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
