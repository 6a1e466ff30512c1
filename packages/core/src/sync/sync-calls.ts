import type { Segment } from "./segment.ts";
import type { ShareReaders } from "./share.ts";
import type { ServerHead } from "./sync-values.ts";

/**
 * Every call of the sync protocol: its input and its answer. `sync-routes.ts` says where each is and checks its values;
 * `sync-http.ts` turns a call into a request and a response into its answer.
 *
 * Keys, names of blobs, digests and hashes of tokens are opaque to the server. Times are milliseconds since 1970.
 */
export interface SyncCalls {
  /** Uses an invitation: makes a vault, or adds a device to the invitation's vault. Repeating it gives the same answer. */
  join: { readonly input: { readonly invitation: string; readonly device: NewDevice }; readonly answer: Joined };
  /** Adds a device that knows the recovery words. `secret` is derived from the vault key; the server stores its hash. */
  recover: { readonly input: { readonly secret: string; readonly device: NewDevice }; readonly answer: Joined };

  /** A new device asks to be linked. An old one approves it with the code that the new one shows. */
  startLink: { readonly input: { readonly device: NewDevice }; readonly answer: StartedLink };
  /** The new device asks how its request stands, with its own token. */
  followLink: { readonly input: { readonly code: string }; readonly answer: FollowedLink };
  readLink: { readonly input: InVault & { readonly code: string }; readonly answer: LinkRequest };
  answerLink: {
    readonly input: InVault & { readonly code: string; readonly approve: boolean; readonly sealed_key?: string };
    readonly answer: Done;
  };

  readVault: { readonly input: InVault; readonly answer: Vault };
  deleteVault: { readonly input: InVault; readonly answer: Done };
  /** Sets the vault's first key (`previous` null), or rotates it: every thread key is wrapped anew in the same call. */
  changeKey: { readonly input: InVault & KeyChange; readonly answer: Done };
  revokeDevice: { readonly input: InVault & { readonly device: string }; readonly answer: Done };

  /** Threads that changed after `since`. Waits up to `wait` seconds for the first one. */
  listChanges: {
    readonly input: InVault & Seen & { readonly since?: string; readonly wait?: number };
    readonly answer: Changes;
  };
  /** Gives a thread its wrapped key. When the thread has one already, the answer is that one, and it counts. */
  registerThread: {
    readonly input: InThread & Seen & { readonly kid: string; readonly wrapped_key: string };
    readonly answer: RegisteredThread;
  };
  /** Leaves a tombstone; after the retention time nothing else is left. */
  deleteThread: { readonly input: InThread; readonly answer: Done };
  /** Whole segments after `after`, without a gap. */
  pullSegments: { readonly input: InThread & Seen & { readonly after: number }; readonly answer: PulledSegments };
  pushSegment: { readonly input: InThread & Seen & { readonly segment: Segment }; readonly answer: PushedSegment };

  checkBlobs: {
    readonly input: InVault & { readonly names: readonly string[] };
    readonly answer: { readonly missing: readonly string[] };
  };
  /** Stores a pack (`pack.ts`) under an id that the device chose. */
  putPack: {
    readonly input: InVault & {
      readonly pack: string;
      readonly kid: string;
      readonly digest: string;
      readonly bytes: Uint8Array;
    };
    readonly answer: Done;
  };
  /** A pack with as many of the blobs as fit; at least the first one that exists. Ask again for the others. */
  fetchBlobs: { readonly input: InVault & { readonly names: readonly string[] }; readonly answer: Uint8Array };

  /** Stores a share (`share.ts`) under an id that the device chose, or replaces its body. */
  putShare: {
    readonly input: InThread & {
      readonly share: string;
      readonly readers: ShareReaders;
      /** The key of the share, sealed for `support_key` of the vault. */
      readonly sealed_key?: string;
      readonly digest: string;
      readonly bytes: Uint8Array;
    };
    readonly answer: Done;
  };
  listShares: { readonly input: InVault; readonly answer: { readonly shares: readonly VaultShare[] } };
  /** Ends a share: its body is deleted. */
  deleteShare: { readonly input: InVault & { readonly share: string }; readonly answer: Done };
  /** The body of a share, for everybody who knows its id. */
  readShare: { readonly input: { readonly share: string }; readonly answer: Uint8Array };
}

export type SyncCall = keyof SyncCalls;
export type SyncInput<C extends SyncCall> = SyncCalls[C]["input"];
export type SyncAnswer<C extends SyncCall> = SyncCalls[C]["answer"];

interface InVault {
  readonly vault: string;
}

/** Changes that answers have named. A server that does not know one of them has lost data, and refuses (`rewound`). */
interface Seen {
  readonly seen: readonly string[];
}

interface InThread extends InVault {
  readonly thread: string;
}

type Done = Readonly<Record<string, never>>;

/** The device makes its own token and keeps it: the server only ever stores the hash. */
export interface NewDevice {
  readonly name: string;
  /** X25519, base64. */
  readonly public_key: string;
  /** SHA-256 of the token. */
  readonly token_hash: string;
}

export interface Joined {
  readonly vault: string;
  readonly device: string;
  /** Null until the first device has set the vault's key. */
  readonly kid: string | null;
}

export interface StartedLink {
  readonly code: string;
  readonly expires_at: number;
}

export type FollowedLink =
  | { readonly state: "waiting" | "denied" }
  | {
      readonly state: "approved";
      readonly vault: string;
      readonly device: string;
      readonly kid: string;
      readonly sealed_key: string;
      /** Of the device that approved. */
      readonly approver_key: string;
    };

export interface LinkRequest {
  readonly name: string;
  readonly public_key: string;
}

export interface Vault {
  readonly vault: string;
  /** The device that asks. */
  readonly device: string;
  readonly kid: string | null;
  /** The vault keys since the device was linked, sealed for it, oldest first; absent when it made the last key itself. */
  readonly sealed_key?: string;
  readonly used_bytes: number;
  readonly quota_bytes: number;
  readonly retention_days: number;
  /** The public key of those who run the server, if they read threads that are shared with support. */
  readonly support_key?: string;
  readonly devices: readonly VaultDevice[];
}

export interface VaultDevice {
  readonly device: string;
  readonly name: string;
  readonly public_key: string;
  readonly added_at: number;
  readonly seen_at: number;
  readonly revoked_at?: number;
}

export interface KeyChange {
  readonly previous: string | null;
  readonly kid: string;
  readonly recovery_hash: string;
  readonly threads: readonly { readonly thread: string; readonly wrapped_key: string }[];
  readonly devices: readonly { readonly device: string; readonly sealed_key: string }[];
}

export interface Changes extends AtChange {
  readonly threads: readonly ThreadChange[];
  readonly next: string;
  readonly more: boolean;
}

export interface ThreadChange {
  readonly thread: string;
  readonly last_seq: number;
  readonly heads: readonly ServerHead[];
  readonly wrapped_key: string;
  readonly deleted: boolean;
  /** Its readers besides the vault; absent: nobody. */
  readonly shared?: readonly ShareReaders[];
}

export interface VaultShare {
  readonly share: string;
  readonly thread: string;
  readonly readers: ShareReaders;
  readonly shared_at: number;
}

/** An answer that a device relies on names the last change of the vault at that moment. */
interface AtChange {
  readonly change: string;
}

export interface RegisteredThread extends AtChange {
  readonly wrapped_key: string;
  readonly last_seq: number;
  readonly heads: readonly ServerHead[];
}

export interface PulledSegments extends AtChange {
  readonly segments: readonly (Segment & { readonly seq: number })[];
  readonly last_seq: number;
  readonly heads: readonly ServerHead[];
}

export interface PushedSegment extends AtChange {
  /** The segment that holds the operations; another one than was sent when they were known already. */
  readonly segment: string;
  readonly seq: number;
  readonly last_seq: number;
  readonly heads: readonly ServerHead[];
}
