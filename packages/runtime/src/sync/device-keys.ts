import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  scryptSync,
} from "node:crypto";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { decrypt, derive, encrypt, KEY_BYTES } from "./cipher.ts";
import { sha256 } from "./vault-key.ts";

/** The keys of one device. The private key opens keys that other devices seal for it; the token shows who asks. */
export interface DeviceKeys {
  /** 32 random bytes, as hexadecimal digits. The server has only its hash. */
  readonly token: string;
  /** X25519, base64. */
  readonly private_key: string;
  readonly public_key: string;
}

export function newDeviceKeys(): DeviceKeys {
  const { privateKey, publicKey } = generateKeyPairSync("x25519");
  return {
    token: randomBytes(KEY_BYTES).toString("hex"),
    private_key: raw(privateKey, "d"),
    public_key: raw(publicKey, "x"),
  };
}

export function tokenHash({ token }: DeviceKeys): string {
  return sha256(Buffer.from(token, "hex"));
}

/**
 * Encrypts a key so that only the device with that public key can open it. With a `secret`, only a device that
 * also knows the secret can open it, and only somebody who knows it can have sealed it. Without one anybody can seal: a
 * server too.
 */
export function sealFor(publicKey: string, content: Uint8Array, vault: string, secret = NO_SECRET): string {
  const { privateKey, publicKey: own } = generateKeyPairSync("x25519");
  const ephemeral = Buffer.from(raw(own, "x"), "base64");
  const key = sealingKey(diffieHellman({ privateKey, publicKey: publicOf(publicKey) }), ephemeral, publicKey, secret);
  return Buffer.concat([ephemeral, encrypt(key, content, sealed(vault))]).toString("base64");
}

export function openSealed(keys: DeviceKeys, text: string, vault: string, secret = NO_SECRET): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  const ephemeral = bytes.subarray(0, KEY_BYTES);
  if (ephemeral.length < KEY_BYTES) return undefined;
  try {
    const shared = diffieHellman({ privateKey: privateOf(keys), publicKey: publicOf(ephemeral.toString("base64")) });
    return decrypt(sealingKey(shared, ephemeral, keys.public_key, secret), bytes.subarray(KEY_BYTES), sealed(vault));
  } catch {
    // A point of low order, which no device sends.
    return undefined;
  }
}

/**
 * Six random words that the user carries from the new device to an old one. They never reach the server, so it can put
 * neither its own device nor its own vault between the two.
 */
export function newLinkWords(): string {
  const bits = randomBytes(LINK_WORDS * 2);
  return Array.from({ length: LINK_WORDS }, (_, at) => wordlist[bits.readUInt16BE(at * 2) % wordlist.length]).join(" ");
}

/** The secret of the words; undefined when they are not six words of the list. Slow, so that guessing is. */
export function linkSecret(words: readonly string[], code: string): Buffer | undefined {
  const spoken = words.map((word) => word.toLowerCase());
  if (spoken.length !== LINK_WORDS || spoken.some((word) => !wordlist.includes(word))) return undefined;
  return scryptSync(spoken.join(" "), `retake link ${code}`, KEY_BYTES, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 });
}

const LINK_WORDS = 6;
const NO_SECRET: Uint8Array = new Uint8Array();

function sealingKey(shared: Uint8Array, ephemeral: Uint8Array, recipient: string, secret: Uint8Array): Buffer {
  const all = Buffer.concat([shared, ephemeral, Buffer.from(recipient, "base64")]);
  return derive(all, "sealing", secret);
}

function sealed(vault: string): string {
  return `vault key of ${vault}`;
}

function raw(key: KeyObject, part: "d" | "x"): string {
  return Buffer.from(key.export({ format: "jwk" })[part] ?? "", "base64url").toString("base64");
}

function publicOf(x: string): KeyObject {
  return createPublicKey({ key: { kty: "OKP", crv: "X25519", x: url(x) }, format: "jwk" });
}

function privateOf({ private_key, public_key }: DeviceKeys): KeyObject {
  return createPrivateKey({
    key: { kty: "OKP", crv: "X25519", d: url(private_key), x: url(public_key) },
    format: "jwk",
  });
}

function url(base64: string): string {
  return Buffer.from(base64, "base64").toString("base64url");
}
