import { existsSync } from "node:fs";
import { join } from "node:path";
import { openDatabase, ThreadStore } from "@retake/runtime";
import type { RetakePlace } from "./retake-place.ts";

/** The problems of a store: pages that SQLite cannot follow, operations that differ from the committed ones. */
export function storeProblems({ home }: RetakePlace): string[] {
  const parts = ["data", join("data", "private")].map((part) => join(home, part, "retake.db"));
  return parts.filter((file) => existsSync(file)).flatMap(problemsIn);
}

function problemsIn(file: string): string[] {
  const database = openDatabase(file);
  try {
    const checked = database.prepare("PRAGMA integrity_check").all();
    const pages = checked.map((row) => String(row["integrity_check"])).filter((line) => line !== "ok");
    const store = new ThreadStore(database, { outbox: true });
    const operations = store.list().flatMap(({ id }) => store.verify(id));
    return [...pages, ...operations.map(({ operation, problem }) => `${operation}: ${problem}`)];
  } finally {
    database.close();
  }
}
