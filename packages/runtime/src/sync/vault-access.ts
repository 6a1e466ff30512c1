import { decrypt, derive, encrypt, newKey } from "./cipher.ts";
import type { ReadyLogin } from "./login-file.ts";
import { ThreadKeys } from "./thread-keys.ts";
import { VaultKey } from "./vault-key.ts";

/**
 * The vault as this device can read it. In the store the key of a thread is encrypted with a key of this device, which
 * never changes: a new vault key then changes no row.
 */
export class VaultAccess {
  readonly vault: string;
  readonly device: string;
  readonly key: VaultKey;
  readonly kid: string;
  readonly #storage: Buffer;

  constructor({ keys, joined }: ReadyLogin) {
    this.vault = joined.vault;
    this.device = joined.device;
    this.key = new VaultKey(Buffer.from(joined.key, "hex"));
    this.kid = this.key.kid;
    this.#storage = derive(Buffer.from(keys.private_key, "base64"), "storage");
  }

  /** A random key for a thread, as it is stored. */
  newThreadKey(thread: string): string {
    return this.#stored(thread, newKey());
  }

  /** A stored key, wrapped for the other devices. */
  wrap(thread: string, stored: string, key = this.key): string {
    return key.wrap(this.#opened(thread, stored), this.vault, thread);
  }

  /** A wrapped key, as it is stored; undefined when another vault key wrapped it. */
  unwrap(thread: string, wrapped: string): string | undefined {
    const key = this.key.unwrap(wrapped, this.vault, thread);
    return key && this.#stored(thread, key);
  }

  threadKeys(thread: string, stored: string): ThreadKeys {
    return new ThreadKeys(this.#opened(thread, stored), this.vault, thread);
  }

  #stored(thread: string, key: Uint8Array): string {
    return encrypt(this.#storage, key, thread).toString("base64");
  }

  #opened(thread: string, stored: string): Buffer {
    const key = decrypt(this.#storage, Buffer.from(stored, "base64"), thread);
    if (!key)
      throw new Error(
        `The key of thread ${thread} was stored by another device. Log out and in again: retake sync logout, retake sync login.`,
      );
    return key;
  }
}
