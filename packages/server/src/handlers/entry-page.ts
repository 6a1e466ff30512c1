import { entries, entryById, type State, type TakeId } from "@retake/core";
import { entryJson } from "@retake/runtime";
import { type PageQuery, wrongCursor } from "./page.ts";

export type EntryJson = {
  id: string;
  role: string;
  content: string;
  ts: string;
  collapsed: boolean;
  read_mode: boolean;
  [key: string]: unknown;
};

export interface EntryPage {
  readonly entries: readonly EntryJson[];
  /** Given when more follows. */
  readonly cursor?: string;
}

/** A page of a conversation, which may be long: what comes before the page is not read, nor what comes behind it. */
export function entryPage(
  state: State,
  take: TakeId,
  { role, limit = Number.POSITIVE_INFINITY, cursor }: PageQuery & { readonly role?: string | undefined },
): EntryPage {
  const begin = cursor === undefined ? undefined : entryById(state, take, cursor);
  if (cursor !== undefined && !begin) throw wrongCursor();
  const page: EntryJson[] = [];
  for (const entry of entries(state, take, begin)) {
    if (entry.id === cursor || (role !== undefined && entry.role !== role)) continue;
    const last = page.at(-1);
    if (last && page.length >= limit) return { entries: page, cursor: last.id };
    page.push(entryJson(entry) as EntryJson);
  }
  return { entries: page };
}
