/**
 * The contents of what entries attach: instructions, context files and images, as they were when the model was shown
 * them. They are kept by hash, on this machine alone: they are in no export and no sync. An entry whose content is not
 * here shows nothing of it, and the next turn attaches it again.
 */
import { attachedFolder, type ContentFolder } from "./content-folder.ts";

export class Attachments {
  readonly #folder: ContentFolder;

  constructor(data: string) {
    this.#folder = attachedFolder(data);
  }

  /** Keeps a content and returns its digest. */
  put(content: Uint8Array | string): string {
    return this.#folder.put(content);
  }

  bytes(digest: string): Buffer | undefined {
    // Digests come from entries, and entries from anywhere.
    return /^[0-9a-f]{64}$/.test(digest) ? this.#folder.read(digest) : undefined;
  }

  text(digest: string): string | undefined {
    return this.bytes(digest)?.toString("utf8").toWellFormed();
  }
}
