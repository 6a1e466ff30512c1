import { type ContentFolder, imageFolder } from "./content-folder.ts";

/**
 * Images that a user gave to a thread without a file of their own: pasted or dropped. They are kept beside the store, named
 * by their content, because nothing but the agent's work is written into a workspace. A thread names one as
 * `image:<sha256>.png`, which means the same on every machine; where the bytes are missing, that is said and nothing is sent.
 */
export class ImageFiles {
  readonly #folder: ContentFolder;

  constructor(data: string) {
    this.#folder = imageFolder(data);
  }

  /** Keeps an image, durably, and returns its name. */
  add(bytes: Uint8Array, type: ImageType): string {
    return `${SCHEME}${this.#folder.put(bytes, { extension: `.${EXTENSIONS[type]}`, flush: true })}`;
  }

  /** The file of a name; undefined of any other path. */
  find(path: string): string | undefined {
    return NAME.test(path) ? this.#folder.path(path.slice(SCHEME.length)) : undefined;
  }
}

export type ImageType = keyof typeof EXTENSIONS;

const EXTENSIONS = { "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp" } as const;
const SCHEME = "image:";
const NAME = /^image:[0-9a-f]{64}\.(?:png|jpg|gif|webp)$/;
