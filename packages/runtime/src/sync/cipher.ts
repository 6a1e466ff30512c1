import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** AES-256-GCM with a random nonce: nonce, ciphertext, tag. The associated data must be the same to open it. */
export function encrypt(key: Uint8Array, content: Uint8Array, associated: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(associated));
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined when the key, the content or the associated data is another. */
export function decrypt(key: Uint8Array, sealed: Uint8Array, associated: string): Buffer | undefined {
  if (sealed.length < NONCE + TAG) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE));
  decipher.setAAD(Buffer.from(associated));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE, sealed.length - TAG)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** A key for one purpose. Keys for other purposes cannot be computed from it. */
export function derive(key: Uint8Array, purpose: string, salt: Uint8Array = NO_SALT): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, `retake sync 1: ${purpose}`, KEY_BYTES));
}

export function newKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

export const KEY_BYTES = 32;
const NONCE = 12;
const TAG = 16;
const NO_SALT = new Uint8Array();
