import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Images that a user gave to a thread without a file of their own: pasted or dropped. They are kept beside the store, named
 * by their content, because nothing but the agent's work is written into a workspace. A thread names one as
 * `image:<sha256>.png`, which means the same on every machine; where the bytes are missing, that is said and nothing is sent.
 */
export class ImageFiles {
  readonly #directory: string;

  constructor(data: string) {
    this.#directory = join(data, "images");
  }

  /** Keeps an image, durably, and returns its name. */
  add(bytes: Uint8Array, type: ImageType): string {
    const name = `${createHash("sha256").update(bytes).digest("hex")}.${EXTENSIONS[type]}`;
    const file = join(this.#directory, name);
    if (!existsSync(file)) {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      const part = `${file}.${process.pid}.part`;
      writeFileSync(part, bytes, { mode: 0o600, flush: true });
      renameSync(part, file);
    }
    return `${SCHEME}${name}`;
  }

  /** The file of a name; undefined of any other path. */
  find(path: string): string | undefined {
    return NAME.test(path) ? join(this.#directory, path.slice(SCHEME.length)) : undefined;
  }
}

export type ImageType = keyof typeof EXTENSIONS;

const EXTENSIONS = { "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp" } as const;
const SCHEME = "image:";
const NAME = /^image:[0-9a-f]{64}\.(?:png|jpg|gif|webp)$/;
