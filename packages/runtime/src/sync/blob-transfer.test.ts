import { randomBytes } from "node:crypto";
import { encodePack, type PackedBlob, type SyncInput } from "@retake/core/sync";
import { type Hash, objectId } from "@retake/workspace";
import { expect, test } from "vitest";
import { fetchBlobs } from "./blob-transfer.ts";
import { ThreadKeys } from "./thread-keys.ts";
import type { SyncTransport } from "./transport.ts";

const MIB = 1024 * 1024;

test.each([
  ["many large contents", Array<number>(6).fill(12 * MIB), 32 * MIB],
  ["one that is larger than a part may be", [MIB, 40 * MIB, MIB], 40 * MIB],
  ["many small ones", Array<number>(2000).fill(10), 32 * MIB],
])("[L5] never holds more than 32 MiB of fetched contents, or one content: %s", async (_, sizes, most) => {
  const keys = new ThreadKeys(randomBytes(32), "vault", "thread");
  const contents = new Map<Hash, number>();
  // The pieces that the server has, each with its content.
  const pieces = new Map<string, { readonly sealed: Buffer; readonly hash: Hash }>();
  for (const [index, size] of sizes.entries()) {
    const content = Buffer.alloc(size, `content ${index} `);
    const hash = objectId("blob", content);
    contents.set(hash, size);
    for (const [piece, name] of keys.blobNames(hash, size).entries())
      pieces.set(name, { sealed: keys.sealPiece(name, content, piece), hash });
  }
  const fetched = new Set<Hash>();
  let waiting = 0;
  const call = (async (_name: string, { names }: SyncInput<"fetchBlobs">) => {
    const blobs: PackedBlob[] = [];
    for (const name of names.slice(0, 3)) {
      const { sealed, hash } = pieces.get(name) ?? { sealed: Buffer.alloc(0), hash: "" };
      blobs.push({ name, bytes: sealed });
      if (!fetched.has(hash)) waiting += contents.get(hash) ?? 0;
      fetched.add(hash);
    }
    expect(waiting).toBeLessThanOrEqual(most);
    return { kind: "answer", answer: encodePack(blobs) };
  }) as SyncTransport;
  const written = new Set<Hash>();
  const objects = {
    has: (hash: Hash) => written.has(hash),
    read: () => Buffer.alloc(0),
    writeHashed: (hash: Hash, content: Uint8Array) => {
      waiting -= content.length;
      written.add(hash);
    },
  };
  const done = await fetchBlobs({ call, vault: "vault", keys, objects, contents });
  expect(done).toEqual({ kind: "fetched", absent: [] });
  expect(written).toEqual(new Set(contents.keys()));
  expect(waiting).toBe(0);
});
