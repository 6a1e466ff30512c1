import { listPage } from "@retake/runtime";
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
  const page = listPage(list, idOf, {
    ...(typeof limit === "string" ? { limit: countFrom(limit, 1) } : {}),
    ...(typeof cursor === "string" ? { cursor } : {}),
  });
  if (!page) throw wrongUsage(`'${String(cursor)}' is not in the list. Begin again without --cursor.`);
  const { items, more, cursor: next } = page;
  return { items, more, ...(next === undefined ? {} : { cursor: { cursor: next } }) };
}

export function moreLine<T>(call: Call, { more }: Page<T>): string[] {
  return more > 0 ? [call.output.style("dim", `  ${more} more; a larger --limit shows them`)] : [];
}
