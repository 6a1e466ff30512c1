import { type Call, countFrom, wrongUsage } from "./command.ts";

export const PAGE_OPTIONS = { limit: { type: "string" }, cursor: { type: "string" } } as const;

export interface Page<T> {
  readonly items: readonly T[];
  /** How many follow; 0 when the list is at its end. */
  readonly more: number;
  /** What `--cursor` takes to go on behind this page. */
  readonly cursor?: { readonly cursor: string };
}

/** A list comes whole unless `--limit` is given; `--cursor` goes on where the page before ended. */
export function pageOf<T>(call: Call, list: readonly T[], idOf: (each: T) => string): Page<T> {
  const { limit, cursor } = call.options;
  let from = 0;
  if (typeof cursor === "string") {
    from = list.findIndex((each) => idOf(each) === cursor) + 1;
    if (from === 0) throw wrongUsage(`'${cursor}' is not in the list. Begin again without --cursor.`);
  }
  const count = typeof limit === "string" ? countFrom(limit, 1) : list.length;
  const items = list.slice(from, from + count);
  const more = list.length - from - items.length;
  const last = items.at(-1);
  return { items, more, ...(more > 0 && last !== undefined ? { cursor: { cursor: idOf(last) } } : {}) };
}

export function moreLine<T>(call: Call, { more }: Page<T>): string[] {
  return more > 0 ? [call.output.style("dim", `  ${more} more; a larger --limit shows them`)] : [];
}
