import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

/**
 * The problems of the backups of converted stores. Each converted store has one, and every backup holds exactly the
 * content of the store before: the user may return to any of them.
 */
export function backupProblems({ home, before }: { readonly home: string; readonly before: string }): string[] {
  return ["data", join("data", "private")].flatMap((part) => {
    const then = dump(join(before, part, "retake.db"));
    if (then === undefined) return [];
    const directory = join(home, part);
    if (dump(join(directory, "retake.db"))?.version === then.version) return [];
    const copies = readdirSync(directory).filter((name) => name.startsWith("retake.db.before-"));
    const wrong = copies.filter((name) => dump(join(directory, name))?.text !== then.text);
    return [
      ...wrong.map((name) => `${name} is not what the store was`),
      ...(copies.length === 0 ? [`there is no backup of ${join(part, "retake.db")}`] : []),
    ];
  });
}

/** The content of a database file; undefined if there is none. */
function dump(file: string): { readonly version: number; readonly text: string } | undefined {
  if (!existsSync(file)) return undefined;
  // Immutable, because SQLite would otherwise put files beside it, and they would be compared too.
  const database = new DatabaseSync(`${pathToFileURL(file)}?immutable=1`, { readOnly: true });
  try {
    const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
    const tables = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    const rows = tables.map(({ name }) => database.prepare(`SELECT * FROM "${name}"`).all());
    return { version, text: JSON.stringify([tables, rows]) };
  } catch (error) {
    return { version: -1, text: String(error) };
  } finally {
    database.close();
  }
}
