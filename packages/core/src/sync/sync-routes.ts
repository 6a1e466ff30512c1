import { type Check, either, fields, flag, list, oneOf, text, whole } from "../values/check.ts";
import { idProblem, nameProblem } from "../values/text.ts";
import { SYNC_LIMITS } from "./limits.ts";
import { atMost, checkSegment } from "./segment.ts";
import { SHARE_READERS } from "./share.ts";
import type { SyncCall } from "./sync-calls.ts";
import { base64, blobName, hex, keyId, sealedKey, sealedKeys, serverHeads } from "./sync-values.ts";

/**
 * Where every call is, and the checks of its input and answer. Fields of the input that the path names are in the path;
 * the others are the query of a GET or DELETE, and the JSON of anything else. With `bytes: "input"` the field `bytes` is
 * the body and the others are the query.
 */
export interface SyncRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** `none`: before there is a device. `token`: any token. `device`: the token of a device of the vault in the path. */
  readonly access: "none" | "token" | "device";
  readonly input: Check;
  readonly answer: Check;
  readonly bytes?: "input" | "answer";
}

const count = whole(0);
const vault = { vault: idProblem };
const thread = { ...vault, thread: idProblem };
const code = text(32);
const cursor = text(100);
const seen = atMost(SYNC_LIMITS.seen, cursor);
const names = atMost(SYNC_LIMITS.check_names, blobName, 1);
const token = hex(32);
const publicKey = base64(32);
/** Nobody guesses the id of a share. */
const shareId = hex(16);
const bytes: Check = (value) => (value instanceof Uint8Array ? undefined : "must be bytes");
const done = fields({});
const closed = (required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}) =>
  fields(required, optional, "closed");

const newDevice = closed({ name: nameProblem, public_key: publicKey, token_hash: token });
const joined = fields({ vault: idProblem, device: idProblem, kid: either(keyId, oneOf([null])) });
const approved = fields({
  state: oneOf(["approved"]),
  ...vault,
  device: idProblem,
  kid: keyId,
  sealed_key: sealedKey,
  approver_key: publicKey,
});
const vaultDevice = fields(
  { device: idProblem, name: nameProblem, public_key: publicKey, added_at: count, seen_at: count },
  { revoked_at: count },
);
// Later servers may know more readers.
const threadChange = fields(
  { thread: idProblem, last_seq: count, heads: serverHeads, wrapped_key: sealedKey, deleted: flag },
  { shared: list(text(32)) },
);
const readers = oneOf(SHARE_READERS);
// Envelopes in an answer are checked one by one: one that is newer must not hide those before it.
const pulled = fields({
  seq: whole(1),
  envelope: fields({ format_version: whole(1) }),
  body: text(Math.ceil(SYNC_LIMITS.segment_bytes / 3) * 4),
});

export const SYNC_ROUTES = {
  join: {
    method: "POST",
    path: "/v1/join",
    access: "none",
    input: closed({ invitation: text(200), device: newDevice }),
    answer: joined,
  },
  recover: {
    method: "POST",
    path: "/v1/recover",
    access: "none",
    input: closed({ secret: token, device: newDevice }),
    answer: joined,
  },
  startLink: {
    method: "POST",
    path: "/v1/links",
    access: "none",
    input: closed({ device: newDevice }),
    answer: fields({ code, expires_at: count }),
  },
  followLink: {
    method: "GET",
    path: "/v1/links/{code}",
    access: "token",
    input: closed({ code }),
    answer: either(fields({ state: oneOf(["waiting", "denied"]) }), approved),
  },
  readLink: {
    method: "GET",
    path: "/v1/vaults/{vault}/links/{code}",
    access: "device",
    input: closed({ ...vault, code }),
    answer: fields({ name: nameProblem, public_key: publicKey }),
  },
  answerLink: {
    method: "POST",
    path: "/v1/vaults/{vault}/links/{code}",
    access: "device",
    input: closed({ ...vault, code, approve: flag }, { sealed_key: sealedKey }),
    answer: done,
  },
  readVault: {
    method: "GET",
    path: "/v1/vaults/{vault}",
    access: "device",
    input: closed(vault),
    answer: fields(
      {
        ...vault,
        device: idProblem,
        kid: either(keyId, oneOf([null])),
        used_bytes: count,
        quota_bytes: count,
        retention_days: count,
        devices: list(vaultDevice),
      },
      { sealed_key: sealedKeys, support_key: publicKey },
    ),
  },
  deleteVault: {
    method: "DELETE",
    path: "/v1/vaults/{vault}",
    access: "device",
    input: closed(vault),
    answer: done,
  },
  changeKey: {
    method: "PUT",
    path: "/v1/vaults/{vault}/key",
    access: "device",
    input: closed({
      ...vault,
      previous: either(keyId, oneOf([null])),
      kid: keyId,
      recovery_hash: token,
      threads: atMost(SYNC_LIMITS.threads, closed({ thread: idProblem, wrapped_key: sealedKey })),
      devices: atMost(SYNC_LIMITS.devices, closed({ device: idProblem, sealed_key: sealedKey })),
    }),
    answer: done,
  },
  revokeDevice: {
    method: "DELETE",
    path: "/v1/vaults/{vault}/devices/{device}",
    access: "device",
    input: closed({ ...vault, device: idProblem }),
    answer: done,
  },
  listChanges: {
    method: "GET",
    path: "/v1/vaults/{vault}/changes",
    access: "device",
    input: closed({ ...vault, seen }, { since: cursor, wait: whole(0, SYNC_LIMITS.wait_seconds) }),
    answer: fields({ threads: list(threadChange), next: cursor, more: flag, change: cursor }),
  },
  registerThread: {
    method: "PUT",
    path: "/v1/vaults/{vault}/threads/{thread}",
    access: "device",
    input: closed({ ...thread, seen, kid: keyId, wrapped_key: sealedKey }),
    answer: fields({ wrapped_key: sealedKey, last_seq: count, heads: serverHeads, change: cursor }),
  },
  deleteThread: {
    method: "DELETE",
    path: "/v1/vaults/{vault}/threads/{thread}",
    access: "device",
    input: closed(thread),
    answer: done,
  },
  pullSegments: {
    method: "GET",
    path: "/v1/vaults/{vault}/threads/{thread}/segments",
    access: "device",
    input: closed({ ...thread, seen, after: count }),
    answer: fields({ segments: list(pulled), last_seq: count, heads: serverHeads, change: cursor }),
  },
  pushSegment: {
    method: "POST",
    path: "/v1/vaults/{vault}/threads/{thread}/segments",
    access: "device",
    input: closed({ ...thread, seen, segment: checkSegment }),
    answer: fields({ segment: idProblem, seq: whole(1), last_seq: whole(1), heads: serverHeads, change: cursor }),
  },
  checkBlobs: {
    method: "POST",
    path: "/v1/vaults/{vault}/blobs/check",
    access: "device",
    input: closed({ ...vault, names }),
    answer: fields({ missing: list(blobName) }),
  },
  fetchBlobs: {
    method: "POST",
    path: "/v1/vaults/{vault}/blobs/fetch",
    access: "device",
    input: closed({ ...vault, names }),
    answer: bytes,
    bytes: "answer",
  },
  putPack: {
    method: "PUT",
    path: "/v1/vaults/{vault}/packs/{pack}",
    access: "device",
    input: closed({ ...vault, pack: idProblem, kid: keyId, digest: hex(32), bytes }),
    answer: done,
    bytes: "input",
  },
  putShare: {
    method: "PUT",
    path: "/v1/vaults/{vault}/shares/{share}",
    access: "device",
    input: closed({ ...thread, share: shareId, readers, digest: hex(32), bytes }, { sealed_key: sealedKey }),
    answer: done,
    bytes: "input",
  },
  listShares: {
    method: "GET",
    path: "/v1/vaults/{vault}/shares",
    access: "device",
    input: closed(vault),
    answer: fields({
      shares: list(fields({ share: shareId, thread: idProblem, readers: text(32), shared_at: count })),
    }),
  },
  deleteShare: {
    method: "DELETE",
    path: "/v1/vaults/{vault}/shares/{share}",
    access: "device",
    input: closed({ ...vault, share: shareId }),
    answer: done,
  },
  readShare: {
    method: "GET",
    path: "/v1/shares/{share}",
    access: "none",
    input: closed({ share: shareId }),
    answer: bytes,
    bytes: "answer",
  },
} as const satisfies Readonly<Record<SyncCall, SyncRoute>>;
