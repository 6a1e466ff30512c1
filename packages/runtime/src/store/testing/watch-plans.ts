import type { Database } from "@retake/workspace";

/** The same database, which notes SQLite's plan of every statement that is prepared: whether it uses an index, and which. */
export function watchPlans(database: Database): { readonly watched: Database; readonly plans: string[] } {
  const plans: string[] = [];
  const watched = new Proxy(database, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target) as unknown;
      if (name !== "prepare") return typeof value === "function" ? value.bind(target) : value;
      return (sql: string) => {
        const values = Array(sql.split("?").length - 1).fill(null);
        for (const { detail } of target.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values)) plans.push(String(detail));
        return target.prepare(sql);
      };
    },
  });
  return { watched, plans };
}
