import { createHash } from "node:crypto";
import { type Joined, type NewDevice, refuseSync } from "@retake/core/sync";
import type { Sql } from "../storage/sql-database.ts";
import { type Call, newId, type SyncStorage } from "./call.ts";

/** Uses an invitation once. A device that did not hear the answer repeats the call with the same token. */
export const join: Call<"join"> = ({ database, settings, now }, { invitation, device }) =>
  database.everywhere(async (sql) => {
    const hash = hashOf(invitation);
    const [row] = await sql.all<InvitationRow>(
      `SELECT vault, expires_at, token_hash, device FROM invitations WHERE hash = ? ${sql.forUpdate}`,
      [hash],
    );
    if (!row) return refuseSync("unauthorized", "The server does not know this invitation.");
    if (row.device !== null && row.token_hash === device.token_hash) {
      await renameDevice(sql, row.vault ?? "", row.device, device.name);
      return joined(sql, row.vault ?? "", row.device);
    }
    if (row.device !== null) return refuseSync("gone", "This invitation was used already.");
    if (row.expires_at < now()) return refuseSync("gone", "This invitation has expired.");
    const vault = row.vault ?? newId();
    if (row.vault !== null && (await sql.all("SELECT 1 FROM vaults WHERE vault = ?", [vault])).length === 0)
      return refuseSync("gone", "The vault of this invitation was deleted.");
    if (row.vault === null)
      await sql.run("INSERT INTO vaults (vault, quota_bytes, created_at) VALUES (?, ?, ?)", [
        vault,
        settings.quota_bytes,
        now(),
      ]);
    const id = await addDevice(sql, vault, device, now());
    await sql.run("UPDATE invitations SET vault = ?, device = ?, token_hash = ? WHERE hash = ?", [
      vault,
      id,
      device.token_hash,
      hash,
    ]);
    return joined(sql, vault, id);
  });

/** The recovery words give the vault's key, and the key gives the secret. */
export const recover: Call<"recover"> = ({ database, now }, { secret, device }) =>
  database.everywhere(async (sql) => {
    const [row] = await sql.all<{ vault: string }>("SELECT vault FROM vaults WHERE recovery_hash = ?", [
      hashOf(Buffer.from(secret, "hex")),
    ]);
    if (!row) return refuseSync("unauthorized", "No vault has these recovery words.");
    const [known] = await sql.all<{ device: string }>(
      "SELECT device FROM devices WHERE vault = ? AND token_hash = ? AND revoked_at IS NULL",
      [row.vault, device.token_hash],
    );
    if (known) await renameDevice(sql, row.vault, known.device, device.name);
    return joined(sql, row.vault, known?.device ?? (await addDevice(sql, row.vault, device, now())));
  });

/** Makes an invitation, for a new vault or for one that exists. It is shown once, and stored as a hash. */
export async function createInvitation({ database, now }: SyncStorage, vault?: string): Promise<string | undefined> {
  const invitation = newId();
  const expires = now() + INVITATION_MS;
  return database.everywhere(async (sql) => {
    if (vault !== undefined && (await sql.all("SELECT 1 FROM vaults WHERE vault = ?", [vault])).length === 0)
      return undefined;
    await sql.run("INSERT INTO invitations (hash, vault, expires_at) VALUES (?, ?, ?)", [
      hashOf(invitation),
      vault ?? null,
      expires,
    ]);
    return invitation;
  });
}

const INVITATION_MS = 7 * 24 * 3_600_000;

interface InvitationRow {
  readonly vault: string | null;
  readonly expires_at: number;
  readonly token_hash: string | null;
  readonly device: string | null;
}

export async function addDevice(sql: Sql, vault: string, device: NewDevice, now: number): Promise<string> {
  const id = newId();
  await sql.run(
    `INSERT INTO devices (vault, device, name, public_key, token_hash, added_at, seen_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [vault, id, device.name, device.public_key, device.token_hash, now, now],
  );
  return id;
}

/** A device that repeats its login may have another name by now. */
async function renameDevice(sql: Sql, vault: string, device: string, name: string): Promise<void> {
  await sql.run("UPDATE devices SET name = ? WHERE vault = ? AND device = ?", [name, vault, device]);
}

async function joined(sql: Sql, vault: string, device: string): Promise<Joined> {
  const [row] = await sql.all<{ kid: string | null }>("SELECT kid FROM vaults WHERE vault = ?", [vault]);
  return { vault, device, kid: row?.kid ?? null };
}

export function hashOf(secret: string | Uint8Array): string {
  return createHash("sha256").update(secret).digest("hex");
}
