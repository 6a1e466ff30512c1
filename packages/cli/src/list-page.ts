import { listPage } from "@retake/runtime";
import { type Call, countFrom, type Options, wrongUsage } from "./command.ts";

export const PAGE_OPTIONS = {
  limit: { type: "string", value: "N", about: "how many are shown at most; otherwise all" },
  cursor: { type: "string", value: "cursor", about: "go on after the page that --json answered with this cursor" },
} as const satisfies Options;

export interface Page<T> {
  readonly items: readonly T[];
  /** What `--cursor` takes to go on after this page; not there when the list is at its end. */
  readonly cursor?: { readonly cursor: string };
}

/** A list comes whole unless `--limit` is given; `--cursor` goes on where the page before ended. */
export function pageOf<T>(call: Call, list: Iterable<T>, idOf: (each: T) => string): Page<T> {
  const { limit, cursor } = call.options;
  const page = listPage(list, idOf, {
    ...(typeof limit === "string" ? { limit: countFrom(limit, 1) } : {}),
    ...(typeof cursor === "string" ? { cursor } : {}),
  });
  if (!page) throw wrongUsage(`'${String(cursor)}' is not in the list. Begin again without --cursor.`);
  const { items, cursor: next } = page;
  return { items, ...(next === undefined ? {} : { cursor: { cursor: next } }) };
}

export function moreLine<T>(call: Call, { cursor }: Page<T>): string[] {
  return cursor ? [call.output.style("dim", "  There is more; a larger --limit shows it")] : [];
}
