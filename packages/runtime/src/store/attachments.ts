/**
 * The contents of what entries attach: instructions, context files and images, as they were when the model was shown
 * them. They are kept by hash, on this machine alone: they are in no export and no sync. An entry whose content is not
 * here shows nothing of it, and the next turn attaches it again.
 */
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export class Attachments {
  readonly #directory: string;

  constructor(data: string) {
    this.#directory = join(data, "attached");
  }

  /** Keeps a content and returns its digest. */
  put(content: Uint8Array | string): string {
    const digest = createHash("sha256").update(content).digest("hex");
    const file = this.#file(digest);
    if (existsSync(file)) return digest;
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    const part = `${file}.${randomBytes(6).toString("hex")}`;
    writeFileSync(part, content, { mode: 0o600 });
    renameSync(part, file);
    return digest;
  }

  bytes(digest: string): Buffer | undefined {
    // Digests come from entries, and entries from anywhere.
    if (!/^[0-9a-f]{64}$/.test(digest)) return undefined;
    try {
      return readFileSync(this.#file(digest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  text(digest: string): string | undefined {
    return this.bytes(digest)?.toString("utf8").toWellFormed();
  }

  #file(digest: string): string {
    return join(this.#directory, digest);
  }
}
