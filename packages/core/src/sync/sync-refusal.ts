import type { OperationId } from "../session/operation.ts";
import { fields, list, oneOf, text, whole } from "../values/check.ts";

/**
 * The server did not do what it was asked to do, and has changed nothing. The device decides by `code` alone; `message`
 * is for people and logs.
 */
export interface SyncRefusal {
  readonly kind: "refused";
  readonly code: SyncRefusalCode;
  readonly message: string;
  readonly details?: SyncRefusalDetails;
}

export interface SyncRefusalDetails {
  /** `missing`: parents and blobs that the server does not hold. `stale-key`: threads without a key. */
  readonly parents?: readonly OperationId[];
  readonly blobs?: readonly string[];
  readonly threads?: readonly string[];
  /** `other-content`: the operations whose stored content is another. */
  readonly operations?: readonly OperationId[];
  readonly retry_after_ms?: number;
  /** `newer-version`: the highest version that the server knows. */
  readonly version?: number;
}

/** Each code with its HTTP status. */
export const SYNC_REFUSALS = {
  /** The request does not have the form that the route needs. */
  "invalid-request": 400,
  /** No token, or one that the server does not know. */
  unauthorized: 401,
  /** The token is of a device that was revoked. */
  revoked: 401,
  /** The device uses another vault key than the vault: nothing it sends could be read by others. */
  "wrong-key": 403,
  /** The id names nothing in this vault. A vault of others is not found either. */
  "not-found": 404,
  "unknown-thread": 404,
  /** An operation, pack or thread with this id has other content. */
  "other-content": 409,
  /** The server does not know a change that the device has seen: it was restored from an older backup. */
  rewound: 409,
  /** The vault's key was changed meanwhile. */
  "stale-key": 409,
  /** The thread was deleted, or the invitation was used, or the link has expired. */
  gone: 410,
  "too-large": 413,
  /** The server does not hold the parents or blobs of a segment yet. */
  missing: 424,
  /** The server knows only older versions of the protocol or of the segment. */
  "newer-version": 426,
  "too-many-requests": 429,
  "server-failure": 500,
  unavailable: 503,
  "quota-exceeded": 507,
} as const;

export type SyncRefusalCode = keyof typeof SYNC_REFUSALS;

export function refuseSync(code: SyncRefusalCode, message: string, details?: SyncRefusalDetails): SyncRefusal {
  return details ? { kind: "refused", code, message, details } : { kind: "refused", code, message };
}

export const checkSyncRefusal = fields(
  { code: oneOf(Object.keys(SYNC_REFUSALS)), message: text(10_000) },
  {
    details: fields(
      {},
      {
        parents: list(text(128)),
        blobs: list(text(128)),
        threads: list(text(128)),
        operations: list(text(128)),
        retry_after_ms: whole(0),
        version: whole(1),
      },
    ),
  },
);
