import { recordsIn } from "@retake/core";
import type { Workspace } from "../../workspace/open-workspace.ts";

/**
 * The store as it is for threads: the rows of all tables as text, except for those in which captures remember what they found, and
 * the hashes of all contents, which are moved from rows into packs when nothing else is to be done.
 */
export function storedRows({ store }: Workspace): object {
  return store.parts().map(({ database }) => {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const rows = tables.flatMap(({ name }) => {
      if (MOVING.includes(String(name))) return [];
      const columns = database.prepare("SELECT name FROM pragma_table_info(?)").all(String(name));
      const values = columns.map((column) => `quote("${column["name"]}")`).join(" || ',' || ");
      return [[name, database.prepare(`SELECT ${values} AS row FROM "${name}"`).all()]];
    });
    const hashes = "SELECT hex(hash) FROM objects UNION SELECT hex(hash) FROM loose_objects ORDER BY 1";
    return [Object.fromEntries(rows), database.prepare(hashes).all()];
  });
}

const MOVING = ["blocks", "loose_objects", "objects", "packs", "sqlite_sequence", "stat_cache", "workspaces"];

/** All records of a thread, as a workspace reads them. */
export function storedRecords({ store }: Workspace, thread: string): object {
  return store.read(thread, ({ state }) => ({
    thread: [...state.thread.entries()],
    spaces: [...state.spaces.entries()].map(([take, space]) => [take, [...recordsIn(space)]]),
  }));
}
