/**
 * The tables of the server. Every key begins with the vault, so that a vault can be moved, and the tables be split by it.
 * `BYTES` stands for the type of bytes in each database.
 *
 * There is no column that counts by itself: such a number can be given before an earlier one is committed, and a device
 * would miss that one. The numbers are counted in rows that the transaction has locked: first the vault, then the thread.
 */
export const SCHEMA_VERSION = 2;

export const TABLES = {
  vaults: `
    vault TEXT PRIMARY KEY,
    kid TEXT,
    recovery_hash TEXT UNIQUE,
    change_seq BIGINT NOT NULL DEFAULT 0,
    mark TEXT NOT NULL DEFAULT '',
    used_bytes BIGINT NOT NULL DEFAULT 0,
    quota_bytes BIGINT NOT NULL,
    created_at BIGINT NOT NULL`,
  devices: `
    vault TEXT NOT NULL REFERENCES vaults (vault) ON DELETE CASCADE,
    device TEXT NOT NULL,
    name TEXT NOT NULL,
    public_key TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    sealed_key TEXT,
    added_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    revoked_at BIGINT,
    PRIMARY KEY (vault, device)`,
  threads: `
    vault TEXT NOT NULL REFERENCES vaults (vault) ON DELETE CASCADE,
    thread TEXT NOT NULL,
    last_seq BIGINT NOT NULL,
    change_seq BIGINT NOT NULL,
    heads TEXT NOT NULL,
    wrapped_key TEXT NOT NULL,
    deleted_at BIGINT,
    PRIMARY KEY (vault, thread)`,
  changes: `
    vault TEXT NOT NULL REFERENCES vaults (vault) ON DELETE CASCADE,
    change_seq BIGINT NOT NULL,
    mark TEXT NOT NULL,
    PRIMARY KEY (vault, change_seq)`,
  segments: `
    vault TEXT NOT NULL REFERENCES vaults (vault) ON DELETE CASCADE,
    thread TEXT NOT NULL,
    seq BIGINT NOT NULL,
    size BIGINT NOT NULL,
    envelope TEXT NOT NULL,
    body BYTES NOT NULL,
    PRIMARY KEY (vault, thread, seq)`,
  operations: `
    vault TEXT NOT NULL REFERENCES vaults (vault) ON DELETE CASCADE,
    thread TEXT NOT NULL,
    id TEXT NOT NULL,
    tag TEXT NOT NULL,
    seq BIGINT NOT NULL,
    segment TEXT NOT NULL,
    PRIMARY KEY (vault, thread, id)`,
  packs: `
    vault TEXT NOT NULL REFERENCES vaults (vault) ON DELETE CASCADE,
    pack TEXT NOT NULL,
    digest TEXT NOT NULL,
    size BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (vault, pack)`,
  blobs: `
    vault TEXT NOT NULL REFERENCES vaults (vault) ON DELETE CASCADE,
    name TEXT NOT NULL,
    pack TEXT NOT NULL,
    place BIGINT NOT NULL,
    length BIGINT NOT NULL,
    PRIMARY KEY (vault, name)`,
  /** Which blobs a segment needs, so that no pack is collected that is needed. */
  needs: `
    vault TEXT NOT NULL REFERENCES vaults (vault) ON DELETE CASCADE,
    name TEXT NOT NULL,
    thread TEXT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (vault, name, thread, seq)`,
  /** Copies of threads for readers outside of the vault. */
  shares: `
    vault TEXT NOT NULL REFERENCES vaults (vault) ON DELETE CASCADE,
    share TEXT NOT NULL UNIQUE,
    thread TEXT NOT NULL,
    readers TEXT NOT NULL,
    sealed_key TEXT,
    size BIGINT NOT NULL,
    body BYTES NOT NULL,
    shared_at BIGINT NOT NULL,
    PRIMARY KEY (vault, share)`,
} as const;

/** The versions that added tables; those without one are of the first. */
const SINCE: Readonly<Record<string, number>> = { shares: 2, deleted_vaults: 2 };

/** The tables of vaults that a database of an earlier version lacks. */
export function tablesSince(version: number): (keyof typeof TABLES)[] {
  return (Object.keys(TABLES) as (keyof typeof TABLES)[]).filter((name) => isNewer(name, version));
}

function isNewer(table: string, version: number): boolean {
  return (SINCE[table] ?? 1) > version;
}

/** Tables of requests before there is a vault. */
export const OPEN_TABLES = {
  invitations: `
    hash TEXT PRIMARY KEY,
    vault TEXT,
    expires_at BIGINT NOT NULL,
    token_hash TEXT,
    device TEXT`,
  links: `
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    public_key TEXT NOT NULL,
    token_hash TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    state TEXT NOT NULL,
    vault TEXT,
    device TEXT,
    approver_key TEXT`,
} as const;

/** Tables that no request reads. */
const HOUSEKEEPING_TABLES = {
  /** Vaults whose packs are to be removed. Packs of other names are never touched: they may be another database's. */
  deleted_vaults: `
    vault TEXT PRIMARY KEY,
    deleted_at BIGINT NOT NULL`,
} as const;

export const INDEXES = [
  "CREATE INDEX threads_by_change ON threads (vault, change_seq)",
  "CREATE INDEX blobs_by_pack ON blobs (vault, pack)",
  "CREATE INDEX needs_by_thread ON needs (vault, thread, seq)",
];

/** The statements that bring a database of a version to the present one. */
export function createTables(bytes: string, version: number): string[] {
  const tables = Object.entries({ ...TABLES, ...OPEN_TABLES, ...HOUSEKEEPING_TABLES });
  const added = tables.filter(([name]) => isNewer(name, version));
  const statements = added.map(([name, columns]) => `CREATE TABLE ${name} (${columns.replace("BYTES", bytes)})`);
  return version === 0 ? [...statements, ...INDEXES] : statements;
}
