import { createHash } from "node:crypto";
import { entropyToMnemonic, mnemonicToEntropy } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { decrypt, derive, encrypt, KEY_BYTES, newKey } from "./cipher.ts";

/**
 * The vault key: 32 random bytes that all devices of a vault have and the server never has. It wraps the random key of
 * each thread, so changing it encrypts only those keys anew.
 *
 *     vault key ──▶ kid              names the key; the server refuses writes that name another
 *               ├─▶ recovery secret  lets a device join that knows the 24 words
 *               ├─▶ wrapping key ──▶ thread keys
 *               └── as 24 words
 */
export class VaultKey {
  readonly bytes: Buffer;

  constructor(bytes: Uint8Array) {
    if (bytes.length !== KEY_BYTES) throw new Error("a vault key has 32 bytes");
    this.bytes = Buffer.from(bytes);
  }

  static create(): VaultKey {
    return new VaultKey(newKey());
  }

  /** Undefined when the words are not 24, are not of the list, or have a wrong check sum. */
  static fromWords(words: string): VaultKey | undefined {
    try {
      const bytes = mnemonicToEntropy(words.trim().toLowerCase().split(/\s+/).join(" "), wordlist);
      return bytes.length === KEY_BYTES ? new VaultKey(bytes) : undefined;
    } catch {
      return undefined;
    }
  }

  get words(): string {
    return entropyToMnemonic(this.bytes, wordlist);
  }

  /** A hash of a key that is derived for this alone. */
  get kid(): string {
    return sha256(derive(this.bytes, "kid"));
  }

  /** Seals the key that follows this one: only a device that has this key can have chosen the next, or can open it. */
  get successionSecret(): Buffer {
    return derive(this.bytes, "succession");
  }

  get recoverySecret(): string {
    return derive(this.bytes, "recovery").toString("hex");
  }

  get recoveryHash(): string {
    return sha256(derive(this.bytes, "recovery"));
  }

  wrap(threadKey: Uint8Array, vault: string, thread: string): string {
    return encrypt(this.#wrapping, threadKey, wrapped(vault, thread)).toString("base64");
  }

  /** Undefined when another vault key wrapped it, or for another thread. */
  unwrap(wrappedKey: string, vault: string, thread: string): Buffer | undefined {
    return decrypt(this.#wrapping, Buffer.from(wrappedKey, "base64"), wrapped(vault, thread));
  }

  get #wrapping(): Buffer {
    return derive(this.bytes, "wrapping");
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function wrapped(vault: string, thread: string): string {
  return `thread key of ${thread} in ${vault}`;
}
