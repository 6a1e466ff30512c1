import { createHash, randomBytes } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/**
 * A folder beside the store with files that are named by the hash of their content: `<sha256>`, or `<sha256>.png`. Threads
 * name them, and no transaction covers them. A list of all that were ever put here tells a lost file from one that only another
 * machine has.
 */
export class ContentFolder {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Keeps a content and returns the name of its file. `flush`: nobody else has it. */
  put(content: Uint8Array | string, { extension = "", flush = false } = {}): string {
    const name = `${createHash("sha256").update(content).digest("hex")}${extension}`;
    const file = this.path(name);
    // Garbage collection leaves files alone that are new or in use again, because nothing names them yet.
    if (renewTime(file)) return name;
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    const part = `${file}.${randomBytes(6).toString("hex")}`;
    writeFileSync(part, content, { mode: 0o600, flush });
    appendFileSync(this.path(LIST), `${name}\n`, { mode: 0o600 });
    renameSync(part, file);
    return name;
  }

  read(name: string): Buffer | undefined {
    try {
      return readFileSync(this.path(name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  path(name: string): string {
    return join(this.#directory, name);
  }

  remove(name: string): void {
    rmSync(this.path(name), { force: true });
  }

  /** All files, also those that a killed process left half written. Others may write and delete here meanwhile. */
  *files(): Generator<ContentFile> {
    for (const name of existsSync(this.#directory) ? readdirSync(this.#directory) : []) {
      if (!NAMED.test(name)) continue;
      const found = statSync(this.path(name), { throwIfNoEntry: false });
      if (!found) continue;
      const { size, ctimeMs: changed } = found;
      yield { name, digest: name.slice(0, DIGEST), isWhole: WHOLE.test(name), size, changed };
    }
  }

  /** The names of files that were put here and are gone. */
  lost(): string[] {
    const names = this.read(LIST)?.toString("latin1").split("\n") ?? [];
    return [...new Set(names)].filter((name) => WHOLE.test(name) && !existsSync(this.path(name)));
  }

  /** Whether a file has another content than its name says. One that was deleted meanwhile is not damaged. */
  isDamaged({ name, digest }: Pick<ContentFile, "name" | "digest">): boolean {
    const content = this.read(name);
    return content !== undefined && createHash("sha256").update(content).digest("hex") !== digest;
  }
}

/** Whether the file is there. In one step: it may be deleted after a look. */
function renewTime(file: string): boolean {
  try {
    chmodSync(file, 0o600);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

export interface ContentFile {
  readonly name: string;
  readonly digest: string;
  readonly isWhole: boolean;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changed: number;
}

/** The folders of a store: contents that entries attach, and images that the user gave. */
export function contentFolders(data: string): ContentFolder[] {
  return [attachedFolder(data), imageFolder(data)];
}

export function attachedFolder(data: string): ContentFolder {
  return new ContentFolder(join(data, "attached"));
}

export function imageFolder(data: string): ContentFolder {
  return new ContentFolder(join(data, "images"));
}

const LIST = "list";
const DIGEST = 64;
const NAMED = /^[0-9a-f]{64}(?:\.|$)/;
const WHOLE = /^[0-9a-f]{64}(?:\.(?:png|jpg|gif|webp))?$/;
