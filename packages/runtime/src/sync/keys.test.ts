import { pad, paddedLength, SYNC_LIMITS, unpad } from "@retake/core/sync";
import { objectId } from "@retake/workspace";
import { assert, property, string, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import { decrypt, encrypt, newKey } from "./cipher.ts";
import { linkSecret, newDeviceKeys, newLinkWords, openSealed, sealFor } from "./device-keys.ts";
import { openSegment, sealSegment } from "./segment-codec.ts";
import { ThreadKeys } from "./thread-keys.ts";
import { VaultKey } from "./vault-key.ts";

describe("the vault key", () => {
  test("[X16] comes back from its 24 words, however they are typed, and from no others", () => {
    const key = VaultKey.create();
    const words = key.words.split(" ");
    expect(words).toHaveLength(24);
    expect(VaultKey.fromWords(` ${words.join("\n ").toUpperCase()} `)?.kid).toBe(key.kid);
    expect(VaultKey.fromWords(words.slice(1).join(" "))).toBeUndefined();
    expect(VaultKey.fromWords([...words].reverse().join(" "))?.kid).not.toBe(key.kid);
    expect(VaultKey.fromWords("")).toBeUndefined();
  });

  test("[X16] is not told by what the server gets of it", () => {
    const key = new VaultKey(Buffer.alloc(32, 7));
    // Fixed for all time: other versions of Retake derive the same.
    expect(key.kid).toBe(FIXED.kid);
    expect(key.recoverySecret).toBe(FIXED.recovery);
    expect(new Set([key.kid, key.recoverySecret, key.recoveryHash, key.bytes.toString("hex")]).size).toBe(4);
  });

  test("[X16] unwraps the key of a thread for that thread and vault alone", () => {
    const [key, thread] = [VaultKey.create(), newKey()];
    const wrapped = key.wrap(thread, "v", "T-1");
    expect(key.unwrap(wrapped, "v", "T-1")).toEqual(thread);
    expect(key.unwrap(wrapped, "v", "T-2")).toBeUndefined();
    expect(key.unwrap(wrapped, "w", "T-1")).toBeUndefined();
    expect(VaultKey.create().unwrap(wrapped, "v", "T-1")).toBeUndefined();
  });
});

const FIXED = {
  kid: "c694f71f065d706d33cb2534a67bc1f0db8ecdd3928c32a7cca3adfdf05b9b38",
  recovery: "5cd3d4c1754a0cd18f027efdd15a8fe4d00e092791dacb32d6b739b3a91ca855",
};

describe("sealing", () => {
  test("[X16] a sealed key opens with the private key of its device, in its vault", () => {
    const [device, other] = [newDeviceKeys(), newDeviceKeys()];
    const sealed = sealFor(device.public_key, Buffer.from("key"), "v");
    expect(openSealed(device, sealed, "v")?.toString()).toBe("key");
    expect(openSealed(other, sealed, "v")).toBeUndefined();
    expect(openSealed(device, sealed, "w")).toBeUndefined();
    expect(openSealed(device, "AAAA", "v")).toBeUndefined();
  });

  test("[X16] a server that puts its own device in the place of the new one cannot open the key without the six words", () => {
    const words = newLinkWords().split(" ");
    const secret = linkSecret(words, "CODE");
    const server = newDeviceKeys();
    const sealed = sealFor(server.public_key, Buffer.from("key"), "v", secret);
    expect(openSealed(server, sealed, "v")).toBeUndefined();
    expect(openSealed(server, sealed, "v", linkSecret(newLinkWords().split(" "), "CODE"))).toBeUndefined();
    expect(openSealed(server, sealed, "v", linkSecret(words, "CODE"))?.toString()).toBe("key");
  });

  test("[X16] words that are not six of the list are no secret", () => {
    expect(linkSecret(["abandon"], "CODE")).toBeUndefined();
    expect(linkSecret(["abandon", "ability", "able", "about", "above", "retake"], "CODE")).toBeUndefined();
    expect(linkSecret(["Abandon", "ability", "able", "about", "above", "absent"], "CODE")).toBeDefined();
  });

  test("[X16] no changed byte of a ciphertext opens", () => {
    const key = newKey();
    const sealed = encrypt(key, Buffer.from("content"), "about");
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(decrypt(key, changed, "about")).toBeUndefined();
    }
    expect(decrypt(key, sealed, "other")).toBeUndefined();
  });
});

describe("padding", () => {
  test("[X16] adds at most 12 %, keeps the content, and leaves few sizes", () => {
    assert(
      property(uint8Array({ maxLength: 3000 }), (content) => {
        const padded = pad(content);
        expect([...(unpad(padded) ?? [])]).toEqual([...content]);
        expect(padded.length).toBeLessThanOrEqual(Math.max(8, (content.length + 4) * 1.12 + 1));
      }),
    );
    const sizes = new Set(Array.from({ length: 100_000 }, (_, length) => paddedLength(length)));
    expect(sizes.size).toBeLessThan(400);
  });
});

describe("blobs", () => {
  test("[X16] a large content is sent in pieces that fit, and each opens under its own name alone", () => {
    const keys = new ThreadKeys(newKey(), "v", "T-1");
    const content = Buffer.alloc(SYNC_LIMITS.blob_content_bytes + 5, "x");
    const hash = objectId("blob", content);
    const names = keys.blobNames(hash, content.length);
    expect(names).toHaveLength(2);
    const sealed = names.map((name, piece) => keys.sealPiece(name, content, piece));
    expect(sealed.every(({ length }) => length <= SYNC_LIMITS.blob_bytes)).toBe(true);
    const [one = "", two = ""] = names;
    expect(keys.openPiece(two, sealed[0] as Buffer)).toBeUndefined();
    expect(new ThreadKeys(newKey(), "v", "T-1").openPiece(one, sealed[0] as Buffer)).toBeUndefined();
    const opened = names.map((name, piece) => keys.openPiece(name, sealed[piece] as Buffer) as Buffer);
    expect(Buffer.concat(opened).equals(content)).toBe(true);
  });

  test("[X16] a content that does not shrink fits in its blob", () => {
    const keys = new ThreadKeys(newKey(), "v", "T-1");
    const noise = Buffer.concat(Array.from({ length: SYNC_LIMITS.blob_content_bytes / 32 }, () => newKey()));
    const [name = ""] = keys.blobNames("h", noise.length);
    expect(keys.sealPiece(name, noise, 0).length).toBeLessThanOrEqual(SYNC_LIMITS.blob_bytes);
  });

  test("[X16] the names of equal contents differ between threads", () => {
    const [one, two] = [new ThreadKeys(newKey(), "v", "T-1"), new ThreadKeys(newKey(), "v", "T-2")];
    expect(one.blobNames("h", 1)).not.toEqual(two.blobNames("h", 1));
    expect(one.tag("h")).not.toEqual(two.tag("h"));
  });
});

describe("a segment", () => {
  const keys = new ThreadKeys(newKey(), "v", "T-1");
  const title = {
    ...{ id: "s-1", vault: "v", thread: "T-1", device: "d", kid: "0".repeat(64), blobs: [] },
    operations: [{ id: "o-1", tag: "0".repeat(32), parents: [] }],
  };

  test("[X16] gives its lines to those with the key of the thread, and shows them to nobody else", () => {
    assert(
      property(string(), (text) => {
        const lines = [{ kind: "operation" as const, hash: "h", body: text }];
        const sealed = sealSegment(keys, title, lines);
        expect(openSegment(keys, sealed, title)).toMatchObject({ kind: "opened", lines });
      }),
    );
    const sealed = sealSegment(keys, title, [{ kind: "operation", hash: "h", body: "canary" }]);
    expect(Buffer.from(sealed.body, "base64").includes("canary")).toBe(false);
    const other = new ThreadKeys(newKey(), "v", "T-1");
    expect(openSegment(other, sealed, title)).toMatchObject({ kind: "unreadable", code: "damaged" });
  });

  test("[X16] cannot be moved to another thread, id, device or order of operations", () => {
    const sealed = sealSegment(keys, title, []);
    for (const change of [
      { id: "s-2" },
      { device: "e" },
      { kid: "1".repeat(64) },
      { operations: [{ ...title.operations[0], parents: ["o-0"] }] },
    ]) {
      const moved = { ...sealed, envelope: { ...sealed.envelope, ...change } } as typeof sealed;
      expect(openSegment(keys, moved, title)).toMatchObject({ kind: "unreadable", code: "damaged" });
    }
    expect(openSegment(keys, sealed, { vault: "v", thread: "T-2" })).toMatchObject({ code: "damaged" });
  });

  test("[L7] of a newer format is named so, and is not called damaged", () => {
    const sealed = sealSegment(keys, title, []);
    const newer = { ...sealed, envelope: { ...sealed.envelope, format_version: 99 } };
    expect(openSegment(keys, newer, title)).toMatchObject({ kind: "unreadable", code: "newer-version" });
  });
});
