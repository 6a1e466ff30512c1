/**
 * The tables of the server. Every key begins with the vault, so that a vault can be moved, and the tables be split by it.
 * `BYTES` stands for the type of bytes in each database, `KEY` for a text that is compared byte by byte.
 *
 * There is no column that counts by itself: such a number can be given before an earlier one is committed, and a device
 * would miss that one. The numbers are counted in rows that the transaction has locked: first the vault, then the thread.
 */
export const SCHEMA_VERSION = 3;

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
  /**
   * The segment of each operation; the envelope has the rest. A push has many of these rows, and a reference to the vault would
   * be looked up for each of them. They are written under the vault's lock, and deleted with it.
   */
  operations: `
    vault KEY NOT NULL,
    thread KEY NOT NULL,
    id KEY NOT NULL,
    seq BIGINT NOT NULL,
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
  /** Which blobs a segment needs, so that no pack is collected that is needed. Without a reference, as `operations`. */
  needs: `
    vault KEY NOT NULL,
    name KEY NOT NULL,
    thread KEY NOT NULL,
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

/** Tables with many narrow rows: the key has nearly all columns. SQLite keeps such rows in the key's index alone. */
const NARROW_TABLES: readonly string[] = ["operations", "needs"];

/** The versions that added or replaced tables; those without one are of the first. */
const SINCE: Readonly<Record<string, number>> = { shares: 2, deleted_vaults: 2, operations: 3, needs: 3 };

/** The columns that a replaced table has from before. */
const COPIED: Readonly<Record<string, string>> = {
  operations: "vault, thread, id, seq",
  needs: "vault, name, thread, seq",
};

/** The tables of vaults that a database of an earlier version lacks, or has in another form. */
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

const INDEXES: Readonly<Record<string, string>> = {
  threads: "CREATE INDEX threads_by_change ON threads (vault, change_seq)",
  blobs: "CREATE INDEX blobs_by_pack ON blobs (vault, pack)",
  needs: "CREATE INDEX needs_by_thread ON needs (vault, thread, seq)",
};

/** How a database writes what the tables above leave open. */
export interface SqlDialect {
  readonly bytes: string;
  readonly key: string;
  /** After the columns of a table with narrow rows. */
  readonly narrow: string;
}

/** The statements that bring a database of a version to the present one. */
export function createTables(dialect: SqlDialect, version: number): string[] {
  const tables = Object.entries({ ...TABLES, ...OPEN_TABLES, ...HOUSEKEEPING_TABLES });
  return tables
    .filter(([name]) => isNewer(name, version))
    .flatMap(([name, columns]) => {
      const typed = columns.replaceAll("BYTES", dialect.bytes).replaceAll(/\bKEY NOT/g, `${dialect.key} NOT`);
      const create = `CREATE TABLE ${name} (${typed})${NARROW_TABLES.includes(name) ? dialect.narrow : ""}`;
      const copied = version > 0 ? COPIED[name] : undefined;
      const all = copied === undefined ? [create] : replace(name, create, copied);
      return [...all, ...(INDEXES[name] === undefined ? [] : [INDEXES[name]])];
    });
}

function replace(table: string, create: string, columns: string): string[] {
  return [
    `ALTER TABLE ${table} RENAME TO ${table}_before`,
    create,
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${table}_before`,
    `DROP TABLE ${table}_before`,
  ];
}
