import { packFile } from "./calls/blobs.ts";
import type { SyncStorage } from "./calls/call.ts";
import type { Sql } from "./storage/sql-database.ts";
import { lockVault } from "./storage/vault-rows.ts";

const DAY_MS = 24 * 3_600_000;

/** Counts of the things that housekeeping has removed. */
export interface Collected {
  readonly threads: number;
  readonly packs: number;
  readonly files: number;
}

/**
 * Removes what nobody needs any more, vault by vault, each under its lock:
 *
 * - threads that were deleted longer ago than the retention time: their segments and their wrapped key. A tombstone stays.
 * - packs of which no segment needs a blob, once they are old enough that no upload can be under way.
 * - files without a row, which a crash has left, after the same time; and all files of a vault that was deleted.
 *
 * Files of vaults that this database never had stay: a server may be started with another database by mistake.
 */
export async function collect(storage: SyncStorage): Promise<Collected> {
  const vaults = await storage.database.read<{ vault: string }>("SELECT vault FROM vaults ORDER BY vault", []);
  const all = { threads: 0, packs: 0, files: 0 };
  for (const { vault } of vaults) {
    const one = await collectVault(storage, vault);
    all.threads += one.threads;
    all.packs += one.packs;
    all.files += one.files;
  }
  all.files += await collectDeleted(storage);
  return all;
}

/** Removes the packs of deleted vaults, until no upload to them can be under way any more. Answers how many. */
async function collectDeleted({ database, packs, settings, now }: SyncStorage): Promise<number> {
  const before = now() - settings.pack_grace_ms;
  const deleted = await database.read<{ vault: string }>("SELECT vault FROM deleted_vaults", []);
  let files = 0;
  for (const { vault } of deleted) {
    files += (await packs.list(vault)).length;
    await packs.removeVault(vault);
  }
  await database.everywhere((sql) => sql.run("DELETE FROM deleted_vaults WHERE deleted_at < ?", [before]));
  return files;
}

async function collectVault(storage: SyncStorage, vault: string): Promise<Collected> {
  const { database, packs, settings, now } = storage;
  const before = now() - settings.pack_grace_ms;
  const { threads, removed, kept } = await database.inVault(vault, async (sql) => {
    await lockVault(sql, vault);
    const threads = await forgetThreads(sql, vault, now() - settings.retention_days * DAY_MS);
    const removed = await forgetPacks(sql, vault, before);
    const kept = await sql.all<PackRow>("SELECT pack, digest FROM packs WHERE vault = ?", [vault]);
    return { threads, removed, kept };
  });
  // After the commit: a crash in between leaves files without a row, which the next run removes.
  const needed = new Set(kept.map(({ pack, digest }) => packFile(pack, digest)));
  let files = 0;
  for (const { name, changed_at } of await packs.list(vault)) {
    const gone = removed.some(({ pack, digest }) => packFile(pack, digest) === name);
    if (needed.has(name) || (!gone && changed_at > before)) continue;
    await packs.remove(vault, name);
    files += 1;
  }
  return { threads, packs: removed.length, files };
}

interface PackRow {
  readonly pack: string;
  readonly digest: string;
}

async function forgetThreads(sql: Sql, vault: string, before: number): Promise<number> {
  const rows = await sql.all<{ thread: string }>(
    "SELECT thread FROM threads WHERE vault = ? AND deleted_at < ? AND wrapped_key <> ''",
    [vault, before],
  );
  for (const { thread } of rows) {
    const [size] = await sql.all<{ bytes: number | null }>(
      "SELECT CAST(sum(size) AS BIGINT) AS bytes FROM segments WHERE vault = ? AND thread = ?",
      [vault, thread],
    );
    for (const table of ["segments", "operations", "needs"])
      await sql.run(`DELETE FROM ${table} WHERE vault = ? AND thread = ?`, [vault, thread]);
    await sql.run("UPDATE threads SET wrapped_key = '', heads = '[]' WHERE vault = ? AND thread = ?", [vault, thread]);
    await sql.run("UPDATE vaults SET used_bytes = used_bytes - ? WHERE vault = ?", [size?.bytes ?? 0, vault]);
  }
  return rows.length;
}

async function forgetPacks(sql: Sql, vault: string, before: number): Promise<PackRow[]> {
  const rows = await sql.all<PackRow & { size: number }>(
    `SELECT pack, digest, size FROM packs WHERE vault = ? AND created_at < ? AND NOT EXISTS (
       SELECT 1 FROM blobs JOIN needs ON needs.vault = blobs.vault AND needs.name = blobs.name
       WHERE blobs.vault = packs.vault AND blobs.pack = packs.pack)`,
    [vault, before],
  );
  for (const { pack, size } of rows) {
    await sql.run("DELETE FROM blobs WHERE vault = ? AND pack = ?", [vault, pack]);
    await sql.run("DELETE FROM packs WHERE vault = ? AND pack = ?", [vault, pack]);
    await sql.run("UPDATE vaults SET used_bytes = used_bytes - ? WHERE vault = ?", [size, vault]);
  }
  return rows;
}
