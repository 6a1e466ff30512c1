import { createHash } from "node:crypto";
import { refuseSync, type ShareReaders } from "@retake/core/sync";
import type { Sql } from "../storage/sql-database.ts";
import { addChange, lockVault, type VaultRow } from "../storage/vault-rows.ts";
import type { Call } from "./call.ts";
import { threadRow } from "./segments.ts";

interface ShareRow {
  readonly share: string;
  readonly thread: string;
  readonly readers: ShareReaders;
  readonly size: number;
  readonly shared_at: number;
}

export const putShare: Call<"putShare"> = async ({ database, settings, now, tell }, input) => {
  const { vault, thread, share, readers, sealed_key, digest, bytes } = input;
  if (createHash("sha256").update(bytes).digest("hex") !== digest)
    return refuseSync("invalid-request", "The share was damaged on its way. Nothing was stored.");
  if ((readers === "support") !== (sealed_key !== undefined) || (readers === "support" && !settings.support_key))
    return refuseSync("invalid-request", "This server has no support that reads threads, or no key for it was sent.");
  const result = await database.inVault(vault, async (sql) => {
    const vaultRow = await lockVault(sql, vault);
    const row = await threadRow(sql, vault, thread);
    if (!row) return refuseSync("unknown-thread", "The vault has no such thread. Nothing was stored.");
    if (row.deleted) return refuseSync("gone", "The thread was deleted. Nothing was stored.");
    const before = await shareRow(sql, vault, share);
    if (before && (before.thread !== thread || before.readers !== readers))
      return refuseSync("other-content", "This share is of another thread. Nothing was stored.");
    const more = bytes.length - (before?.size ?? 0);
    if (vaultRow.used_bytes + more > vaultRow.quota_bytes)
      return refuseSync("quota-exceeded", "The vault is full. Nothing was stored.");
    await sql.run("DELETE FROM shares WHERE vault = ? AND share = ?", [vault, share]);
    const stored = await sql.run(
      `INSERT INTO shares (vault, share, thread, readers, sealed_key, size, body, shared_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (share) DO NOTHING`,
      [vault, share, thread, readers, sealed_key ?? null, bytes.length, bytes, now()],
    );
    if (stored === 0) return refuseSync("other-content", "This share is of another thread. Nothing was stored.");
    await noteShares(sql, vaultRow, thread, more);
    return {};
  });
  if (!("kind" in result)) tell(vault);
  return result;
};

export const listShares: Call<"listShares"> = ({ database }, { vault }) =>
  database.inVault(vault, async (sql) => ({
    shares: await sql.all<Omit<ShareRow, "size">>(
      "SELECT share, thread, readers, shared_at FROM shares WHERE vault = ? ORDER BY shared_at, share",
      [vault],
    ),
  }));

export const deleteShare: Call<"deleteShare"> = async ({ database, tell }, { vault, share }) => {
  await database.inVault(vault, async (sql) => {
    const vaultRow = await lockVault(sql, vault);
    const row = await shareRow(sql, vault, share);
    // A repeated call, whose first answer was lost.
    if (!row) return;
    await sql.run("DELETE FROM shares WHERE vault = ? AND share = ?", [vault, share]);
    await noteShares(sql, vaultRow, row.thread, -row.size);
  });
  tell(vault);
  return {};
};

/** For everybody: whoever knows the id was given it, and the body opens only with the key in the link. */
export const readShare: Call<"readShare"> = async ({ database }, { share }) => {
  const [row] = await database.read<{ body: Uint8Array }>("SELECT body FROM shares WHERE share = ?", [share]);
  return row ? new Uint8Array(row.body) : refuseSync("not-found", "There is no such share.");
};

/** The readers of these threads besides the vault. */
export async function readersOf(sql: Sql, vault: string, threads: readonly string[]) {
  const rows = await sql.all<ShareRow>("SELECT thread, readers FROM shares WHERE vault = ?", [vault]);
  const wanted = new Set(threads);
  const found = new Map<string, Set<ShareReaders>>();
  for (const { thread, readers } of rows)
    if (wanted.has(thread)) found.set(thread, (found.get(thread) ?? new Set()).add(readers));
  return found;
}

/** The shares of a deleted thread end at once. Answers how many bytes they had. */
export async function endShares(sql: Sql, vault: string, thread: string): Promise<number> {
  const [size] = await sql.all<{ bytes: number | null }>(
    "SELECT CAST(sum(size) AS BIGINT) AS bytes FROM shares WHERE vault = ? AND thread = ?",
    [vault, thread],
  );
  await sql.run("DELETE FROM shares WHERE vault = ? AND thread = ?", [vault, thread]);
  return size?.bytes ?? 0;
}

async function shareRow(sql: Sql, vault: string, share: string): Promise<ShareRow | undefined> {
  const rows = await sql.all<ShareRow>(
    "SELECT share, thread, readers, size, shared_at FROM shares WHERE vault = ? AND share = ?",
    [vault, share],
  );
  return rows[0];
}

/** Other devices of the vault hear of it as of any change of the thread. */
async function noteShares(sql: Sql, vaultRow: VaultRow, thread: string, bytes: number): Promise<void> {
  const { vault, change_seq } = await addChange(sql, vaultRow, bytes);
  await sql.run("UPDATE threads SET change_seq = ? WHERE vault = ? AND thread = ?", [change_seq, vault, thread]);
}
