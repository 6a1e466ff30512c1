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
  const rows = database
    .prepare(
      `SELECT body ->> '$.kind' AS kind, body ->> '$.actor.name' AS model,
         coalesce(json_extract(change.value, '$.fields.usage.after'), json_extract(change.value, '$.after.usage')) AS usage
       FROM operations, json_each(body, '$.diff.changes') AS change
       WHERE thread = ? AND usage IS NOT NULL AND (
         (body LIKE '%"kind":"turn-finished"%' AND body ->> '$.kind' = 'turn-finished') OR
         (body LIKE '%"kind":"entries-compressed"%' AND body ->> '$.kind' = 'entries-compressed'))`,
    )
    .iterate(thread);
  const found = new Map<string, ModelUsage>();
  for (const { kind, model, usage } of rows) {
    const read: unknown = JSON.parse(String(usage));
    if (!isObject(read)) continue;
    const name = typeof model === "string" ? model : "";
    const known = found.get(name) ?? { model: name, turns: 0, usage: {} };
    const turns = known.turns + (kind === "turn-finished" ? 1 : 0);
    found.set(name, { model: name, turns, usage: addUsage(known.usage, read as Usage) });
  }
  return [...found.values()];
}
