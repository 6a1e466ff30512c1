import type { BytePath, Hash, ObjectReader, ObjectWriter, WantedObject } from "../model/model.ts";
import { ObjectError } from "./object-error.ts";
import type { ObjectStore } from "./object-store.ts";

/**
 * The objects of a store, and where it lacks one, those of other stores with captures of the same directory: a file may have
 * to become what was on disk between two captures of this store. The contents that a restore borrows are stored here with its
 * commit, whose journal and trees name them.
 */
export class BorrowingObjects implements ObjectReader, ObjectWriter {
  readonly #own: ObjectStore;
  readonly #lenders: () => readonly ObjectStore[];

  constructor(own: ObjectStore, lenders: () => readonly ObjectStore[]) {
    this.#own = own;
    this.#lenders = lenders;
  }

  read(hash: Hash, path: BytePath): Buffer {
    try {
      return this.#own.read(hash, path);
    } catch (error) {
      const isMissing = error instanceof ObjectError && error.code === "missing";
      const lender = isMissing ? this.#lenders().find((each) => each.has(hash)) : undefined;
      if (!lender) throw error;
      return lender.read(hash, path);
    }
  }

  readEach(wanted: readonly WantedObject[]): Iterator<Buffer> {
    return this.#lenders().length === 0 ? this.#own.readEach(wanted) : this.#storeEach(wanted);
  }

  write(content: Uint8Array, predecessor?: Hash): Hash {
    return this.#own.write(content, predecessor);
  }

  flush(): void {
    this.#own.flush();
  }

  *#storeEach(wanted: readonly WantedObject[]): Generator<Buffer> {
    for (const { hash, path } of wanted) {
      const content = this.read(hash, path);
      if (!this.#own.has(hash)) this.#own.write(content);
      yield content;
    }
  }
}
