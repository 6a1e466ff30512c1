import { activeId, isObject, type JsonObject, type TakeId } from "@retake/core";
import type { Database } from "@retake/workspace";
import type { SpaceId } from "./layers.ts";
import type { ThreadStore, ThreadSummary } from "./thread-store.ts";

/** The facts about a thread that search needs, besides its entries. */
export interface CataloguedThread {
  readonly summary: ThreadSummary;
  /** The number of the space that its takes share; the search index uses it as the thread's number. */
  readonly number: SpaceId;
  readonly tags: readonly string[];
  readonly git: JsonObject;
  readonly active: TakeId;
  /** The takes that are not deleted. */
  readonly takes: ReadonlyMap<TakeId, SpaceId>;
}

/** Every thread that is not deleted: there are few, compared with their entries. */
export function readCatalogue(database: Database, threads: ThreadStore): CataloguedThread[] {
  const records = groupBy(
    database
      .prepare(
        `SELECT threads.id AS thread, records.id, records.value FROM threads JOIN records USING (space)
         WHERE records.id IN ('thread', 'git', 'active', ?) OR records.id >= 'take:' AND records.id < 'take;'`,
      )
      .all(activeId(threads)),
  );
  const numbers = new Map(
    database
      .prepare("SELECT id, space FROM threads")
      .all()
      .map((row) => [row["id"], Number(row["space"])]),
  );
  const takes = groupBy(database.prepare("SELECT thread, take AS id, space AS value FROM takes").all());
  return threads
    .list()
    .filter(({ deleted }) => !deleted)
    .map((summary) => {
      const record = (id: string): JsonObject => parsed(records.get(summary.id)?.get(id));
      const live = [...(takes.get(summary.id) ?? [])].filter(([take]) => record(`take:${take}`)["deleted"] === false);
      const tags = record("thread")["tags"];
      return {
        summary,
        number: numbers.get(summary.id) ?? 0,
        tags: Array.isArray(tags) ? tags.map(String) : [],
        git: record("git"),
        active: String(record(activeId(threads))["take"] ?? record("active")["take"]),
        takes: new Map(live.map(([take, space]) => [take, Number(space)])),
      };
    });
}

/** A named save as it is stored; `record` is undefined when it is not valid JSON. */
export interface SavedPoint {
  readonly thread: string;
  readonly deleted: boolean;
  readonly id: string;
  readonly record: JsonObject | undefined;
}

export function readSavedPoints(database: Database): SavedPoint[] {
  return database
    .prepare(
      `SELECT threads.id AS thread, threads.deleted, substr(records.id, 6) AS id,
         CASE WHEN json_valid(records.value) THEN records.value END AS value
       FROM threads JOIN records USING (space) WHERE records.id >= 'save:' AND records.id < 'save;'`,
    )
    .all()
    .map((row) => ({
      thread: row["thread"] as string,
      deleted: row["deleted"] === 1,
      id: row["id"] as string,
      record: row["value"] === null ? undefined : parsed(row["value"]),
    }));
}

function groupBy(rows: readonly Record<string, unknown>[]): Map<string, Map<string, unknown>> {
  const groups = new Map<string, Map<string, unknown>>();
  for (const { thread, id, value } of rows) {
    const group = groups.get(String(thread)) ?? new Map<string, unknown>();
    groups.set(String(thread), group.set(String(id), value));
  }
  return groups;
}

function parsed(value: unknown): JsonObject {
  const json: unknown = typeof value === "string" ? JSON.parse(value) : undefined;
  return isObject(json) ? json : {};
}
