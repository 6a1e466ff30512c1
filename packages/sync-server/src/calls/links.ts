import { randomInt } from "node:crypto";
import { refuseSync } from "@retake/core/sync";
import type { Call } from "./call.ts";
import { addDevice } from "./join.ts";

const LINK_MS = 10 * 60_000;
/** Letters that are not mistaken for others, and make no words. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

export const startLink: Call<"startLink"> = ({ database, now }, { device }) =>
  database.everywhere(async (sql) => {
    await sql.run("DELETE FROM links WHERE expires_at < ?", [now()]);
    const [known] = await sql.all<{ code: string; expires_at: number }>(
      "SELECT code, expires_at FROM links WHERE token_hash = ?",
      [device.token_hash],
    );
    if (known) {
      await sql.run("UPDATE links SET name = ? WHERE code = ?", [device.name, known.code]);
      return known;
    }
    const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
    const code = `${letters.slice(0, 4)}-${letters.slice(4)}`;
    const expires_at = now() + LINK_MS;
    await sql.run(
      "INSERT INTO links (code, name, public_key, token_hash, expires_at, state) VALUES (?, ?, ?, ?, ?, 'waiting')",
      [code, device.name, device.public_key, device.token_hash, expires_at],
    );
    return { code, expires_at };
  });

export const followLink: Call<"followLink"> = ({ database, now }, { code }, { token_hash }) =>
  database.everywhere(async (sql) => {
    const [link] = await sql.all<LinkRow>("SELECT * FROM links WHERE code = ? AND token_hash = ? AND expires_at >= ?", [
      code,
      token_hash,
      now(),
    ]);
    if (!link) return refuseSync("gone", "This link has expired.");
    if (link.state !== "approved") return { state: link.state };
    const [row] = await sql.all<{ kid: string; sealed_key: string }>(
      `SELECT kid, sealed_key FROM vaults JOIN devices ON devices.vault = vaults.vault
       WHERE vaults.vault = ? AND devices.device = ? AND revoked_at IS NULL AND sealed_key IS NOT NULL`,
      [link.vault, link.device],
    );
    if (!row) return refuseSync("revoked", "This device was revoked.");
    const { vault, device, approver_key } = link;
    // The key may have been changed since: then the device cannot use what was sealed for the link.
    const [sealed_key = ""] = row.sealed_key.split(" ");
    return { state: "approved", vault, device, approver_key, kid: row.kid, sealed_key };
  });

export const readLink: Call<"readLink"> = ({ database, now }, { vault, code }) =>
  database.inVault(vault, async (sql) => {
    const [link] = await sql.all<LinkRow>(
      "SELECT * FROM links WHERE code = ? AND expires_at >= ? AND state = 'waiting'",
      [code, now()],
    );
    if (!link) return refuseSync("not-found", "No device waits with this code.");
    return { name: link.name, public_key: link.public_key };
  });

export const answerLink: Call<"answerLink"> = ({ database, now }, { vault, code, approve, sealed_key }, caller) =>
  database.inVault(vault, async (sql) => {
    const [link] = await sql.all<LinkRow>(
      `SELECT * FROM links WHERE code = ? AND expires_at >= ? AND state = 'waiting' ${sql.forUpdate}`,
      [code, now()],
    );
    if (!link) return refuseSync("not-found", "No device waits with this code.");
    if (!approve) {
      await sql.run("UPDATE links SET state = 'denied' WHERE code = ?", [code]);
      return {};
    }
    if (sealed_key === undefined) return refuseSync("invalid-request", "The new device needs the sealed key.");
    const device = await addDevice(sql, vault, link, now());
    await sql.run("UPDATE devices SET sealed_key = ? WHERE vault = ? AND device = ?", [sealed_key, vault, device]);
    const [approver] = await sql.all<{ public_key: string }>(
      "SELECT public_key FROM devices WHERE vault = ? AND device = ?",
      [vault, caller.device],
    );
    await sql.run("UPDATE links SET state = 'approved', vault = ?, device = ?, approver_key = ? WHERE code = ?", [
      vault,
      device,
      approver?.public_key ?? "",
      code,
    ]);
    return {};
  });

interface LinkRow {
  readonly code: string;
  readonly name: string;
  readonly public_key: string;
  readonly token_hash: string;
  readonly state: "waiting" | "denied" | "approved";
  readonly vault: string;
  readonly device: string;
  readonly approver_key: string;
}
