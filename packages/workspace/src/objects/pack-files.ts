import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/** The pack files of a store. Bytes are written to ranges that the index reserved; nothing is ever rewritten. */
export class PackFiles {
  readonly #directory: string;
  readonly #open = new Map<number, number>();
  readonly #written = new Set<number>();

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  write(pack: number, offset: number, content: Uint8Array): void {
    const file = this.#descriptor(pack, true);
    for (let done = 0; done < content.byteLength; ) {
      done += writeSync(file, content, done, content.byteLength - done, offset + done);
    }
    this.#written.add(pack);
  }

  /** For a pack that another thread wrote to. */
  flushLater(pack: number): void {
    this.#written.add(pack);
  }

  /** Makes everything written so far survive a power loss. */
  flush(): void {
    for (const pack of this.#written) fdatasyncSync(this.#descriptor(pack, true));
    this.#written.clear();
  }

  read(pack: number, offset: number, length: number): Buffer {
    const content = Buffer.allocUnsafe(length);
    const file = this.#descriptor(pack, false);
    for (let done = 0; done < length; ) {
      const count = readSync(file, content, done, length - done, offset + done);
      if (count === 0) throw new Error(`${this.path(pack)} ends before byte ${offset + length}`);
      done += count;
    }
    return content;
  }

  remove(pack: number): void {
    this.#forget(pack);
    rmSync(this.path(pack), { force: true });
  }

  list(): number[] {
    return readdirSync(this.#directory)
      .map((name) => Number(/^(\d+)\.pack$/.exec(name)?.[1]))
      .filter((pack) => !Number.isNaN(pack));
  }

  path(pack: number): string {
    return join(this.#directory, `${String(pack).padStart(8, "0")}.pack`);
  }

  close(): void {
    for (const pack of [...this.#open.keys()]) this.#forget(pack);
  }

  #forget(pack: number): void {
    const file = this.#open.get(pack);
    if (file !== undefined) closeSync(file);
    this.#open.delete(pack);
    this.#written.delete(pack);
  }

  #descriptor(pack: number, create: boolean): number {
    const known = this.#open.get(pack);
    if (known !== undefined) return known;
    const file = create ? this.#openForWriting(pack) : openSync(this.path(pack), "r+");
    this.#open.set(pack, file);
    return file;
  }

  #openForWriting(pack: number): number {
    try {
      return openSync(this.path(pack), "r+");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    const file = openSync(this.path(pack), "a+", 0o600);
    closeSync(file);
    // The file's name has to survive a power loss too, not only its content.
    const folder = openSync(this.#directory, "r");
    fsyncSync(folder);
    closeSync(folder);
    return openSync(this.path(pack), "r+");
  }
}
