import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Where packs are. A pack is written once and never changed. */
export interface PackFiles {
  write(vault: string, name: string, bytes: Uint8Array): Promise<void>;
  read(vault: string, name: string, offset: number, length: number): Promise<Uint8Array>;
  remove(vault: string, name: string): Promise<void>;
  removeVault(vault: string): Promise<void>;
  /** The packs of a vault, with the time of their last change. */
  list(vault: string): Promise<{ readonly name: string; readonly changed_at: number }[]>;
  /** Throws when packs could not be stored now. */
  check(): Promise<void>;
}

/** Packs in a directory: a folder for each vault. */
export class PackDirectory implements PackFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async write(vault: string, name: string, bytes: Uint8Array): Promise<void> {
    const folder = join(this.#directory, vault);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const aside = join(folder, `${name}.part-${randomUUID()}`);
    const file = await open(aside, "wx", 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, join(folder, name));
    // So that the name survives a loss of power, too.
    const entries = await open(folder, "r");
    await entries.sync().finally(() => entries.close());
  }

  async read(vault: string, name: string, offset: number, length: number): Promise<Uint8Array> {
    const file = await open(join(this.#directory, vault, name), "r");
    try {
      const bytes = new Uint8Array(length);
      const { bytesRead } = await file.read(bytes, 0, length, offset);
      if (bytesRead < length) throw new Error(`The pack ${name} is shorter than it was.`);
      return bytes;
    } finally {
      await file.close();
    }
  }

  async remove(vault: string, name: string): Promise<void> {
    await rm(join(this.#directory, vault, name), { force: true });
  }

  async removeVault(vault: string): Promise<void> {
    await rm(join(this.#directory, vault), { recursive: true, force: true });
  }

  async list(vault: string): Promise<{ readonly name: string; readonly changed_at: number }[]> {
    const folder = join(this.#directory, vault);
    const names = await readdir(folder).catch(() => []);
    return Promise.all(names.map(async (name) => ({ name, changed_at: (await stat(join(folder, name))).mtimeMs })));
  }

  async check(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
  }
}
