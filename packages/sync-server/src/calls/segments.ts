import { createHash } from "node:crypto";
import {
  decidePush,
  type KnownOperation,
  outerParents,
  refuseSync,
  type SegmentEnvelope,
  type ServerHead,
  SYNC_LIMITS,
} from "@retake/core/sync";
import { insertAll, type Sql } from "../storage/sql-database.ts";
import { addChange, checkSeen, cursorAt, lockVault, readVaultRow } from "../storage/vault-rows.ts";
import type { Call } from "./call.ts";

export const pushSegment: Call<"pushSegment"> = async ({ database, tell }, input, { device }) => {
  const { vault, thread, segment } = input;
  const { envelope } = segment;
  const body = Buffer.from(segment.body, "base64");
  if (body.length !== envelope.size || createHash("sha256").update(body).digest("hex") !== envelope.digest)
    return refuseSync("invalid-request", "The segment was damaged on its way. Nothing was stored.");
  const result = await database.inVault(vault, async (sql) => {
    // The vault is locked first; what the others read cannot change any more.
    const [vaultRow, row, known, blobs] = await Promise.all([
      lockVault(sql, vault),
      threadRow(sql, vault, thread),
      knownOperations(sql, vault, thread, envelope),
      knownBlobs(sql, vault, envelope.blobs),
    ]);
    const lost = await checkSeen(sql, vaultRow, input.seen);
    if (lost) return lost;
    const { kid, used_bytes, quota_bytes } = vaultRow;
    const facts = { vault, thread, device, kid, used_bytes, quota_bytes, row, known, blobs };
    const decision = decidePush(segment, facts);
    if (decision.kind === "refused") return decision;
    if (decision.kind === "repeat") return { ...decision.answer, change: cursorAt(vaultRow) };
    const { seq, heads } = decision.answer;
    const [changed] = await Promise.all([
      addChange(sql, vaultRow, body.length),
      sql.run("INSERT INTO segments (vault, thread, seq, size, envelope, body) VALUES (?, ?, ?, ?, ?, ?)", [
        vault,
        thread,
        seq,
        body.length,
        JSON.stringify(envelope),
        body,
      ]),
      insertAll(
        sql,
        "INSERT INTO operations (vault, thread, id, tag, seq, segment) VALUES",
        decision.operations.map(({ id, tag }) => [vault, thread, id, tag, seq, envelope.id]),
      ),
      insertAll(
        sql,
        "INSERT INTO needs (vault, name, thread, seq) VALUES",
        envelope.blobs.map((name) => [vault, name, thread, seq]),
      ),
      sql.run("UPDATE threads SET last_seq = ?, heads = ?, change_seq = ? WHERE vault = ? AND thread = ?", [
        seq,
        JSON.stringify(heads),
        vaultRow.change_seq + 1,
        vault,
        thread,
      ]),
    ]);
    return { ...decision.answer, change: cursorAt(changed) };
  });
  if (!("kind" in result)) tell(vault);
  return result;
};

export const pullSegments: Call<"pullSegments"> = ({ database }, { vault, thread, seen, after }) =>
  database.inVault(vault, async (sql) => {
    const vaultRow = await readVaultRow(sql, vault);
    const lost = await checkSeen(sql, vaultRow, seen);
    if (lost) return lost;
    const row = await threadRow(sql, vault, thread);
    if (!row) return refuseSync("unknown-thread", "The vault has no such thread.");
    if (row.deleted) return refuseSync("gone", "The thread was deleted.");
    const sizes = await sql.all<{ seq: number; size: number }>(
      "SELECT seq, size FROM segments WHERE vault = ? AND thread = ? AND seq > ? ORDER BY seq LIMIT 50",
      [vault, thread, after],
    );
    let total = 0;
    const fit = sizes.filter(({ size }, index) => {
      total += size;
      return index === 0 || total <= SYNC_LIMITS.pull_bytes;
    });
    const rows = await sql.all<{ seq: number; envelope: string; body: Uint8Array }>(
      "SELECT seq, envelope, body FROM segments WHERE vault = ? AND thread = ? AND seq > ? AND seq <= ? ORDER BY seq",
      [vault, thread, after, fit.at(-1)?.seq ?? 0],
    );
    const segments = rows.map(({ seq, envelope, body }) => ({
      seq,
      envelope: JSON.parse(envelope) as SegmentEnvelope,
      body: Buffer.from(body).toString("base64"),
    }));
    return { segments, last_seq: row.last_seq, heads: row.heads, change: cursorAt(vaultRow) };
  });

/** A thread of a vault. The vault's lock is enough to change it. */
export async function threadRow(sql: Sql, vault: string, thread: string) {
  const [row] = await sql.all<{ last_seq: number; heads: string; deleted_at: number | null; wrapped_key: string }>(
    "SELECT last_seq, heads, deleted_at, wrapped_key FROM threads WHERE vault = ? AND thread = ?",
    [vault, thread],
  );
  if (!row) return undefined;
  const heads = JSON.parse(row.heads) as ServerHead[];
  return { last_seq: row.last_seq, heads, deleted: row.deleted_at !== null, wrapped_key: row.wrapped_key };
}

async function knownOperations(sql: Sql, vault: string, thread: string, { operations }: SegmentEnvelope) {
  const ids = [...operations.map(({ id }) => id), ...outerParents(operations)];
  const rows = await sql.allOf<KnownOperation & { id: string }>(
    "SELECT id, tag, seq, segment FROM operations WHERE vault = ? AND thread = ? AND id =",
    [vault, thread],
    ids,
  );
  return new Map(rows.map(({ id, ...known }) => [id, known]));
}

export async function knownBlobs(sql: Sql, vault: string, names: readonly string[]): Promise<Set<string>> {
  const rows = await sql.allOf<{ name: string }>("SELECT name FROM blobs WHERE vault = ? AND name =", [vault], names);
  return new Set(rows.map(({ name }) => name));
}
