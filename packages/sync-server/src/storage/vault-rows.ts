import { randomBytes } from "node:crypto";
import { changeOf, cursorOf, decideSeen, type SyncRefusal } from "@retake/core/sync";
import type { Sql, Statement } from "./sql-database.ts";

export interface VaultRow {
  readonly vault: string;
  readonly kid: string | null;
  readonly change_seq: number;
  readonly mark: string;
  readonly used_bytes: number;
  readonly quota_bytes: number;
}

const COLUMNS = "vault, kid, change_seq, mark, used_bytes, quota_bytes";

export async function readVaultRow(sql: Sql, vault: string): Promise<VaultRow> {
  return required(await sql.all<VaultRow>(`SELECT ${COLUMNS} FROM vaults WHERE vault = ?`, [vault]));
}

/** Locks the vault: every change of a vault begins with this. */
export async function lockVault(sql: Sql, vault: string): Promise<VaultRow> {
  return required(await sql.all<VaultRow>(`SELECT ${COLUMNS} FROM vaults WHERE vault = ? ${sql.forUpdate}`, [vault]));
}

/** Counts a change of a locked vault. Returns it as the vault's row after it. */
export async function addChange(sql: Sql, row: VaultRow, bytes = 0): Promise<VaultRow> {
  const { changed, statements } = nextChange(row, bytes);
  await sql.runAll(statements);
  return changed;
}

/** The next change of a locked vault, with the statements that store it. */
export function nextChange(row: VaultRow, bytes: number): { changed: VaultRow; statements: Statement[] } {
  const { vault } = row;
  const changed = {
    ...row,
    change_seq: row.change_seq + 1,
    mark: randomBytes(8).toString("hex"),
    used_bytes: row.used_bytes + bytes,
  };
  const { change_seq, mark, used_bytes } = changed;
  return {
    changed,
    statements: [
      {
        text: "UPDATE vaults SET change_seq = ?, mark = ?, used_bytes = ? WHERE vault = ?",
        values: [change_seq, mark, used_bytes, vault],
      },
      { text: "INSERT INTO changes (vault, change_seq, mark) VALUES (?, ?, ?)", values: [vault, change_seq, mark] },
    ],
  };
}

export function cursorAt({ change_seq, mark }: VaultRow): string {
  return cursorOf({ change: change_seq, mark });
}

/** Refuses when a backup was restored that does not have a change that the device has seen. */
export async function checkSeen(
  sql: Sql,
  row: VaultRow,
  seen: readonly (string | undefined)[],
): Promise<SyncRefusal | undefined> {
  const marks = new Map([[row.change_seq, row.mark]]);
  for (const change of new Set(seen.map(changeOf))) {
    if (change === 0 || change >= row.change_seq) continue;
    const [found] = await sql.all<{ mark: string }>("SELECT mark FROM changes WHERE vault = ? AND change_seq = ?", [
      row.vault,
      change,
    ]);
    if (found) marks.set(change, found.mark);
  }
  return decideSeen(seen, (change) => marks.get(change));
}

function required(rows: readonly VaultRow[]): VaultRow {
  // Access was given to a device of this vault a moment ago.
  if (!rows[0]) throw new VaultGoneError("The vault was deleted meanwhile.");
  return rows[0];
}

export class VaultGoneError extends Error {}
