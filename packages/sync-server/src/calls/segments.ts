import {
  areNew,
  decidePush,
  type KnownOperation,
  outerParents,
  refuseSync,
  type SegmentEnvelope,
  type ServerHead,
  SYNC_LIMITS,
  type SyncAnswer,
  type SyncInput,
  type SyncRefusal,
} from "@retake/core/sync";
import type { Sql } from "../storage/sql-database.ts";
import { checkSeen, cursorAt, lockVault, nextChange, readVaultRow } from "../storage/vault-rows.ts";
import type { Call } from "./call.ts";
import { hashOf } from "./join.ts";

export const pushSegment: Call<"pushSegment"> = async ({ database, tell }, input, { device }) => {
  const { vault, segment } = input;
  const { envelope } = segment;
  const body = Buffer.from(segment.body, "base64");
  if (body.length !== envelope.size || hashOf(body) !== envelope.digest)
    return refuseSync("invalid-request", "The segment was damaged on its way. Nothing was stored.");
  const result = await database.inVault(vault, (sql) => push(sql, input, device, body));
  if (!("kind" in result)) tell(vault);
  return result;
};

async function push(
  sql: Sql,
  { vault, thread, seen, segment }: SyncInput<"pushSegment">,
  device: string,
  body: Buffer,
): Promise<SyncAnswer<"pushSegment"> | SyncRefusal> {
  const { envelope } = segment;
  // The vault is locked first; what the others read cannot change any more.
  const [vaultRow, row, blobs] = await Promise.all([
    lockVault(sql, vault),
    threadRow(sql, vault, thread),
    knownBlobs(sql, vault, envelope.blobs),
  ]);
  const lost = await checkSeen(sql, vaultRow, seen);
  if (lost) return lost;
  const heads = row?.heads ?? [];
  const known = await knownParents(sql, vault, thread, envelope, heads);
  // To look each of them up takes as long as to store it, and nearly every segment has only new ones.
  if (!areNew(envelope.operations, heads))
    for (const [id, operation] of await knownOperations(sql, vault, thread, envelope)) known.set(id, operation);
  const { kid, used_bytes, quota_bytes } = vaultRow;
  const decision = decidePush(segment, { vault, thread, device, kid, used_bytes, quota_bytes, row, known, blobs });
  if (decision.kind === "refused") return decision;
  if (decision.kind === "repeat") return { ...decision.answer, change: cursorAt(vaultRow) };
  const { seq, heads: now } = decision.answer;
  const { changed, statements } = nextChange(vaultRow, body.length);
  const ids = decision.operations.map(({ id }) => id);
  const needs = {
    text: `INSERT INTO needs (vault, name, thread, seq) SELECT ?, value, ?, ? FROM ${sql.list}`,
    values: [vault, thread, seq, envelope.blobs],
  };
  await sql.runAll([
    {
      text: `INSERT INTO operations (vault, thread, id, seq) SELECT ?, ?, value, ? FROM ${sql.list}`,
      values: [vault, thread, seq, ids],
    },
    {
      text: "INSERT INTO segments (vault, thread, seq, size, envelope, body) VALUES (?, ?, ?, ?, ?, ?)",
      values: [vault, thread, seq, body.length, JSON.stringify(envelope), body],
    },
    ...(envelope.blobs.length > 0 ? [needs] : []),
    {
      text: "UPDATE threads SET last_seq = ?, heads = ?, change_seq = ? WHERE vault = ? AND thread = ?",
      values: [seq, JSON.stringify(now), changed.change_seq, vault, thread],
    },
    ...statements,
  ]);
  return { ...decision.answer, change: cursorAt(changed) };
}

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

/** The parents outside of the segment that the thread has. Mostly they are its heads, and need not be looked up. */
async function knownParents(
  sql: Sql,
  vault: string,
  thread: string,
  { operations }: SegmentEnvelope,
  heads: readonly ServerHead[],
): Promise<Map<string, KnownOperation>> {
  const parents = outerParents(operations);
  const seqs = new Map(heads.map(({ operation, seq }) => [operation, seq]));
  const others = parents.filter((id) => !seqs.has(id));
  for (const { id, seq } of await operationRows(sql, vault, thread, others)) seqs.set(id, seq);
  // Of a parent it only matters whether it is known.
  const known = (seq: number | undefined) => (seq === undefined ? [] : [{ tag: "", seq, segment: "" }]);
  return new Map(parents.flatMap((id) => known(seqs.get(id)).map((each) => [id, each] as const)));
}

/** The operations of a segment that the thread has, as the envelopes of their segments describe them. */
async function knownOperations(sql: Sql, vault: string, thread: string, { operations }: SegmentEnvelope) {
  const rows = await operationRows(
    sql,
    vault,
    thread,
    operations.map(({ id }) => id),
  );
  const envelopes = new Map<number, SegmentEnvelope>();
  for (const seq of new Set(rows.map((row) => row.seq))) {
    const [row] = await sql.all<{ envelope: string }>(
      "SELECT envelope FROM segments WHERE vault = ? AND thread = ? AND seq = ?",
      [vault, thread, seq],
    );
    envelopes.set(seq, JSON.parse(row?.envelope ?? "") as SegmentEnvelope);
  }
  return new Map(rows.map(({ id, seq }) => [id, knownOperation(envelopes.get(seq) as SegmentEnvelope, id, seq)]));
}

function knownOperation(envelope: SegmentEnvelope, id: string, seq: number): KnownOperation {
  const tag = envelope.operations.find((each) => each.id === id)?.tag ?? "";
  return { tag, seq, segment: envelope.id };
}

function operationRows(sql: Sql, vault: string, thread: string, ids: readonly string[]) {
  return sql.allOf<{ id: string; seq: number }>(
    "SELECT id, seq FROM operations WHERE vault = ? AND thread = ? AND id =",
    [vault, thread],
    ids,
  );
}

export async function knownBlobs(sql: Sql, vault: string, names: readonly string[]): Promise<Set<string>> {
  const rows = await sql.allOf<{ name: string }>("SELECT name FROM blobs WHERE vault = ? AND name =", [vault], names);
  return new Set(rows.map(({ name }) => name));
}
