import { createHash } from "node:crypto";
import { decideKey, encodePack, type PackedBlob, readPack, refuseSync, SYNC_LIMITS } from "@retake/core/sync";
import { insertAll } from "../storage/sql-database.ts";
import { lockVault, readVaultRow } from "../storage/vault-rows.ts";
import type { Call } from "./call.ts";
import { knownBlobs } from "./segments.ts";

export const checkBlobs: Call<"checkBlobs"> = ({ database }, { vault, names }) =>
  database.inVault(vault, async (sql) => {
    const known = await knownBlobs(sql, vault, names);
    return { missing: names.filter((name) => !known.has(name)) };
  });

/**
 * Stores the bytes first, then the rows: after a crash between the two, a file without a row is left, which is collected.
 * The digest is part of the file's name, so that two devices that choose one id cannot overwrite each other.
 */
export const putPack: Call<"putPack"> = async ({ database, packs, now }, { vault, pack, kid, digest, bytes }) => {
  const found = readPack(bytes);
  if (found.kind === "unreadable")
    return refuseSync(
      found.code === "newer-version" ? "newer-version" : "invalid-request",
      `This is not a readable pack: ${found.problem}. Nothing was stored.`,
    );
  if (createHash("sha256").update(bytes).digest("hex") !== digest)
    return refuseSync("invalid-request", "The pack was damaged on its way. Nothing was stored.");
  const look = await database.inVault(vault, async (sql) => {
    const row = await readVaultRow(sql, vault);
    const wrong = decideKey(kid, row.kid);
    if (wrong) return wrong;
    if (row.used_bytes + bytes.length > row.quota_bytes)
      return refuseSync("quota-exceeded", "The vault is full. Nothing was stored.");
    return undefined;
  });
  if (look) return look;
  await packs.write(vault, packFile(pack, digest), bytes);
  return database.inVault(vault, async (sql) => {
    const row = await lockVault(sql, vault);
    const wrong = decideKey(kid, row.kid);
    if (wrong) return wrong;
    const [known] = await sql.all<{ digest: string }>("SELECT digest FROM packs WHERE vault = ? AND pack = ?", [
      vault,
      pack,
    ]);
    if (known && known.digest !== digest)
      return refuseSync("other-content", "The server has another pack with this id. Nothing was stored.");
    if (known) return {};
    await sql.run("INSERT INTO packs (vault, pack, digest, size, created_at) VALUES (?, ?, ?, ?, ?)", [
      vault,
      pack,
      digest,
      bytes.length,
      now(),
    ]);
    await insertAll(
      sql,
      "INSERT INTO blobs (vault, name, pack, place, length) VALUES",
      found.entries.map(({ name, offset, length }) => [vault, name, pack, offset, length]),
      "ON CONFLICT (vault, name) DO NOTHING",
    );
    await sql.run("UPDATE vaults SET used_bytes = used_bytes + ? WHERE vault = ?", [bytes.length, vault]);
    return {};
  });
};

export const fetchBlobs: Call<"fetchBlobs"> = async ({ database, packs }, { vault, names }) => {
  const rows = await database.inVault(vault, (sql) =>
    sql.allOf<BlobRow>(
      `SELECT name, blobs.pack, digest, place, length FROM blobs
       JOIN packs ON packs.vault = blobs.vault AND packs.pack = blobs.pack WHERE blobs.vault = ? AND name =`,
      [vault],
      names,
    ),
  );
  const found = new Map(rows.map((row) => [row.name, row]));
  const blobs: PackedBlob[] = [];
  let size = 0;
  for (const name of new Set(names)) {
    const row = found.get(name);
    if (!row) continue;
    size += row.length;
    if (blobs.length > 0 && size > SYNC_LIMITS.pack_bytes) break;
    blobs.push({ name, bytes: await packs.read(vault, packFile(row.pack, row.digest), row.place, row.length) });
  }
  return encodePack(blobs);
};

interface BlobRow {
  readonly name: string;
  readonly pack: string;
  readonly digest: string;
  readonly place: number;
  readonly length: number;
}

export function packFile(pack: string, digest: string): string {
  return `${pack}-${digest.slice(0, 32)}`;
}
