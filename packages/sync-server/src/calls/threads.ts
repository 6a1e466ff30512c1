import { changeOf, cursorOf, decideKey, refuseSync, type ServerHead, SYNC_LIMITS } from "@retake/core/sync";
import { addChange, checkSeen, cursorAt, lockVault, readVaultRow } from "../storage/vault-rows.ts";
import type { Call } from "./call.ts";
import { threadRow } from "./segments.ts";
import { endShares, readersOf } from "./shares.ts";

export const registerThread: Call<"registerThread"> = async ({ database, tell }, input) => {
  const { vault, thread, wrapped_key } = input;
  const result = await database.inVault(vault, async (sql) => {
    const vaultRow = await lockVault(sql, vault);
    const refusal = (await checkSeen(sql, vaultRow, input.seen)) ?? decideKey(input.kid, vaultRow.kid);
    if (refusal) return refusal;
    const row = await threadRow(sql, vault, thread);
    if (row?.deleted) return refuseSync("gone", "The thread was deleted. Nothing was stored.");
    if (row) {
      const { last_seq, heads } = row;
      return { wrapped_key: row.wrapped_key, last_seq, heads, change: cursorAt(vaultRow) };
    }
    const changed = await addChange(sql, vaultRow);
    await sql.run(
      "INSERT INTO threads (vault, thread, last_seq, change_seq, heads, wrapped_key) VALUES (?, ?, 0, ?, '[]', ?)",
      [vault, thread, changed.change_seq, wrapped_key],
    );
    return { wrapped_key, last_seq: 0, heads: [], change: cursorAt(changed) };
  });
  if (!("kind" in result)) tell(vault);
  return result;
};

export const deleteThread: Call<"deleteThread"> = async ({ database, now, tell }, { vault, thread }) => {
  const result = await database.inVault(vault, async (sql) => {
    const vaultRow = await lockVault(sql, vault);
    const row = await threadRow(sql, vault, thread);
    if (!row) return refuseSync("unknown-thread", "The vault has no such thread.");
    if (row.deleted) return {};
    const { change_seq } = await addChange(sql, vaultRow, -(await endShares(sql, vault, thread)));
    await sql.run("UPDATE threads SET deleted_at = ?, change_seq = ? WHERE vault = ? AND thread = ?", [
      now(),
      change_seq,
      vault,
      thread,
    ]);
    return {};
  });
  tell(vault);
  return result;
};

interface ChangedRow {
  readonly thread: string;
  readonly last_seq: number;
  readonly heads: string;
  readonly wrapped_key: string;
  readonly deleted_at: number | null;
  readonly change_seq: number;
  readonly mark: string;
}

/** Without waiting: `listChanges` of the app waits, and calls this again. */
export const listChanges: Call<"listChanges"> = ({ database }, { vault, since, seen }) =>
  database.inVault(vault, async (sql) => {
    const vaultRow = await readVaultRow(sql, vault);
    const lost = await checkSeen(sql, vaultRow, [...seen, since]);
    if (lost) return lost;
    const limit = SYNC_LIMITS.changes_page;
    const rows = await sql.all<ChangedRow>(
      `SELECT thread, last_seq, heads, wrapped_key, deleted_at, threads.change_seq, changes.mark
       FROM threads JOIN changes ON changes.vault = threads.vault AND changes.change_seq = threads.change_seq
       WHERE threads.vault = ? AND threads.change_seq > ? ORDER BY threads.change_seq LIMIT ?`,
      [vault, changeOf(since), limit],
    );
    const last = rows.at(-1);
    const ids = rows.map(({ thread }) => thread);
    const readers = await readersOf(sql, vault, ids);
    return {
      threads: rows.map(({ thread, last_seq, heads, wrapped_key, deleted_at }) => {
        const shared = readers.get(thread);
        return {
          thread,
          last_seq,
          heads: JSON.parse(heads) as ServerHead[],
          wrapped_key,
          deleted: deleted_at !== null,
          ...(shared && { shared: [...shared].sort() }),
        };
      }),
      next: last ? cursorOf({ change: last.change_seq, mark: last.mark }) : cursorAt(vaultRow),
      more: rows.length === limit,
      change: cursorAt(vaultRow),
    };
  });
