import { SYNC_VERSION } from "./limits.ts";
import { refuseSync, type SyncRefusal } from "./sync-refusal.ts";
import type { SyncRoute } from "./sync-routes.ts";

/** The facts that the server has about a request before it reads its input. */
export interface AccessFacts {
  readonly access: SyncRoute["access"];
  /** The version of the protocol that the request names; undefined when it names none. */
  readonly version: string | undefined;
  /** Whether the request has a token of the right form. */
  readonly token: boolean;
  /** The device that the token is of. */
  readonly device?: { readonly vault: string; readonly revoked: boolean } | undefined;
  /** The vault in the path. */
  readonly vault?: string | undefined;
}

/** Decides whether a request is let in. A vault of others is refused as one that does not exist. */
export function decideAccess({ access, version, token, device, vault }: AccessFacts): SyncRefusal | undefined {
  if (version === undefined || !/^\d{1,6}$/.test(version))
    return refuseSync("invalid-request", "The request does not name its version of the protocol.");
  if (Number(version) > SYNC_VERSION)
    return refuseSync(
      "newer-version",
      `This server knows the sync protocol up to version ${SYNC_VERSION}, not ${version}. Nothing was stored; update the server.`,
      { version: SYNC_VERSION },
    );
  if (access === "none") return undefined;
  if (!token) return refuseSync("unauthorized", "The request has no token.");
  if (access === "token") return undefined;
  if (!device) return refuseSync("unauthorized", "The server does not know this token.");
  if (device.revoked) return refuseSync("revoked", "This device was revoked. Nothing was stored.");
  if (device.vault !== vault) return refuseSync("not-found", "There is no such vault.");
  return undefined;
}

/** Every write names the key that it was encrypted with. Another one is refused before anything is stored. */
export function decideKey(kid: string, vaultKid: string | null): SyncRefusal | undefined {
  if (kid === vaultKid) return undefined;
  return refuseSync(
    "wrong-key",
    vaultKid === null
      ? "The vault has no key yet. Nothing was stored."
      : "This device uses another key than the vault. Nothing was stored.",
  );
}
