import { decideKeyChange, refuseSync, SYNC_LIMITS } from "@retake/core/sync";
import { lockVault, readVaultRow } from "../storage/vault-rows.ts";
import type { Call } from "./call.ts";

interface DeviceRow {
  readonly device: string;
  readonly name: string;
  readonly public_key: string;
  readonly sealed_key: string | null;
  readonly added_at: number;
  readonly seen_at: number;
  readonly revoked_at: number | null;
}

export const readVault: Call<"readVault"> = ({ database, settings }, { vault }, { device }) =>
  database.inVault(vault, async (sql) => {
    const { kid, used_bytes, quota_bytes } = await readVaultRow(sql, vault);
    const rows = await sql.all<DeviceRow>(
      `SELECT device, name, public_key, sealed_key, added_at, seen_at, revoked_at FROM devices
       WHERE vault = ? ORDER BY added_at, device`,
      [vault],
    );
    const sealed = rows.find((row) => row.device === device)?.sealed_key;
    return {
      vault,
      device,
      kid,
      ...(sealed && { sealed_key: sealed }),
      used_bytes,
      quota_bytes,
      retention_days: settings.retention_days,
      ...(settings.support_key !== undefined && { support_key: settings.support_key }),
      devices: rows.map(({ sealed_key: _, revoked_at, ...row }) => ({
        ...row,
        ...(revoked_at !== null && { revoked_at }),
      })),
    };
  });

export const changeKey: Call<"changeKey"> = ({ database }, input, { device }) =>
  database.inVault(input.vault, async (sql) => {
    const { vault } = input;
    const row = await lockVault(sql, vault);
    const threads = await sql.all<{ thread: string }>(
      "SELECT thread FROM threads WHERE vault = ? AND deleted_at IS NULL",
      [vault],
    );
    const devices = await sql.all<{ device: string }>(
      "SELECT device FROM devices WHERE vault = ? AND revoked_at IS NULL",
      [vault],
    );
    // A repeated call, whose first answer was lost.
    if (row.kid === input.kid) return {};
    const refusal = decideKeyChange(input, {
      kid: row.kid,
      threads: threads.map((each) => each.thread),
      devices: devices.map((each) => each.device),
      device,
    });
    if (refusal) return refusal;
    await sql.run("UPDATE vaults SET kid = ?, recovery_hash = ? WHERE vault = ?", [
      input.kid,
      input.recovery_hash,
      vault,
    ]);
    for (const { thread, wrapped_key } of input.threads)
      await sql.run("UPDATE threads SET wrapped_key = ? WHERE vault = ? AND thread = ?", [wrapped_key, vault, thread]);
    // A device that has not heard of the change before needs that one too: each key is sealed with the one before it.
    const before = await sql.all<{ device: string; sealed_key: string | null }>(
      "SELECT device, sealed_key FROM devices WHERE vault = ?",
      [vault],
    );
    const keys = new Map(before.map((each) => [each.device, each.sealed_key?.split(" ") ?? []]));
    await sql.run("UPDATE devices SET sealed_key = NULL WHERE vault = ?", [vault]);
    for (const each of input.devices)
      await sql.run("UPDATE devices SET sealed_key = ? WHERE vault = ? AND device = ?", [
        [...(keys.get(each.device) ?? []), each.sealed_key].slice(-SYNC_LIMITS.key_changes).join(" "),
        vault,
        each.device,
      ]);
    return {};
  });

export const revokeDevice: Call<"revokeDevice"> = async ({ database, now, tell }, { vault, device }) => {
  const changed = await database.inVault(vault, (sql) =>
    sql.run(
      "UPDATE devices SET revoked_at = coalesce(revoked_at, ?), sealed_key = NULL WHERE vault = ? AND device = ?",
      [now(), vault, device],
    ),
  );
  if (changed === 0) return refuseSync("not-found", "The vault has no such device.");
  tell(vault);
  return {};
};

/**
 * Everything of the vault goes at once: rows, keys, then the packs. Housekeeping removes the packs that a crash between the
 * two leaves, or that an upload writes meanwhile.
 */
export const deleteVault: Call<"deleteVault"> = async ({ database, packs, tell, now }, { vault }) => {
  // Across vaults: invitations and links of the vault are in tables that no vault owns.
  await database.everywhere(async (sql) => {
    // The vault first: whoever writes the rest holds its lock.
    for (const table of ["vaults", "operations", "needs", "invitations", "links"])
      await sql.run(`DELETE FROM ${table} WHERE vault = ?`, [vault]);
    await sql.run("INSERT INTO deleted_vaults (vault, deleted_at) VALUES (?, ?)", [vault, now()]);
  });
  await packs.removeVault(vault);
  tell(vault);
  return {};
};
