import { addUsage, isObject, type Usage } from "@retake/core";
import type { Database } from "@retake/workspace";

/** The usage of one model by the turns and summaries of a thread. */
export interface ModelUsage {
  readonly model: string;
  readonly turns: number;
  readonly usage: Usage;
}

/**
 * Read from the log and not from the state: undone turns were paid for too. Turns that were imported as a document are
 * not counted, because they ran elsewhere.
 */
export function threadUsage(database: Database, thread: string): ModelUsage[] {
  while (!readUsage(database, thread));
  return [...knownUsage(database, thread).models.values()];
}

/**
 * Reads a part of a thread's log, so that a server can answer others in between; true when all of it is read. What was read
 * is kept: a log only grows, and its usage is asked for after each turn.
 */
export function readUsage(database: Database, thread: string, most = MOST): boolean {
  const known = knownUsage(database, thread);
  return database.snapshot(() => {
    const next = database
      .prepare(
        `SELECT max(sequence) AS last, count(*) AS count
         FROM (SELECT sequence FROM operations WHERE thread = ? AND sequence > ? ORDER BY sequence LIMIT ?)`,
      )
      .get(thread, known.last, most);
    if (next?.["last"] === null) return true;
    const last = Number(next?.["last"]);
    for (const [model, kind, usage] of usagesIn(database, thread, [known.last, last])) {
      const before = known.models.get(model) ?? { model, turns: 0, usage: {} };
      const turns = before.turns + (kind === "turn-finished" ? 1 : 0);
      known.models.set(model, { model, turns, usage: addUsage(before.usage, usage) });
    }
    known.last = last;
    return Number(next?.["count"]) < most;
  });
}

/** Operations that are read at once: a few milliseconds. */
const MOST = 2000;

interface KnownUsage {
  /** The number of the last operation that was read. */
  last: number;
  readonly models: Map<string, ModelUsage>;
}

const KNOWN = new WeakMap<Database, { readonly rollbacks: number; readonly threads: Map<string, KnownUsage> }>();

function knownUsage(database: Database, thread: string): KnownUsage {
  const { rollbacks } = database;
  const kept = KNOWN.get(database);
  // Data read in a transaction that was rolled back may never have existed.
  const { threads } = kept?.rollbacks === rollbacks ? kept : { threads: new Map<string, KnownUsage>() };
  KNOWN.set(database, { rollbacks, threads });
  const known = threads.get(thread) ?? { last: 0, models: new Map() };
  threads.set(thread, known);
  return known;
}

/** The usages that operations after a number, and up to another one, tell of: each with the model and the kind of operation. */
function* usagesIn(
  database: Database,
  thread: string,
  [after, last]: readonly [number, number],
): Generator<readonly [string, unknown, Usage]> {
  const rows = database
    .prepare(
      `SELECT body ->> '$.kind' AS kind, body ->> '$.actor.name' AS model,
         coalesce(json_extract(change.value, '$.fields.usage.after'), json_extract(change.value, '$.after.usage')) AS usage
       FROM operations, json_each(body, '$.diff.changes') AS change
       WHERE thread = ? AND sequence > ? AND sequence <= ? AND usage IS NOT NULL AND (
         (body LIKE '%"kind":"turn-finished"%' AND body ->> '$.kind' = 'turn-finished') OR
         (body LIKE '%"kind":"entries-compressed"%' AND body ->> '$.kind' = 'entries-compressed'))`,
    )
    .iterate(thread, after, last);
  for (const { kind, model, usage } of rows) {
    const read: unknown = JSON.parse(String(usage));
    if (isObject(read)) yield [typeof model === "string" ? model : "", kind, read as Usage];
  }
}
