import { activeTake, type Entry, entries, entriesBack, entryById, type State, type TakeId } from "@retake/core";
import { type EntryJson, entryJson } from "../../answers/entry-json.ts";
import { type PageQuery, requireOneEnd, wrongCursor } from "./page.ts";

export function listed(state: State, take = activeTake(state)): readonly EntryJson[] {
  return entryPage(state, take, {}).entries;
}

interface EntryPage {
  readonly entries: readonly EntryJson[];
  /** Given when more follows. */
  readonly cursor?: string;
  /** Whether the conversation has entries before and after the page, of whatever role. */
  readonly more_before: boolean;
  readonly more_after: boolean;
}

interface EntryQuery extends PageQuery {
  readonly role?: string | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** So many, at the end of the conversation. */
  readonly last?: number | undefined;
}

/** A page of a conversation, which may be long: only the page is read, and one entry on either side of it. */
export function entryPage(state: State, take: TakeId, query: EntryQuery): EntryPage {
  const { role, last, limit = last ?? Number.POSITIVE_INFINITY, before, after = query.cursor } = query;
  requireOneEnd([last, before, after]);
  const named = before ?? after;
  const begin = named === undefined ? undefined : entryById(state, take, named);
  if (named !== undefined && !begin) throw wrongCursor();
  const back = before !== undefined || last !== undefined;
  const page: Entry[] = [];
  for (const entry of back ? entriesBack(state, take, begin) : entries(state, take, begin)) {
    if (entry.id === named || (role !== undefined && entry.role !== role)) continue;
    page.push(entry);
    if (page.length > limit) break;
  }
  const more = page.length > limit;
  if (more) page.pop();
  if (back) page.reverse();
  const end = page.at(-1);
  return {
    entries: page.map(entryJson),
    ...(more && end && !back ? { cursor: end.id } : {}),
    more_before: hasBefore(state, take, page[0] ?? begin),
    more_after: hasAfter(state, take, end ?? begin),
  };
}

function hasBefore(state: State, take: TakeId, entry: Entry | undefined): boolean {
  return entry !== undefined && !entriesBack(state, take, entry).next().done;
}

function hasAfter(state: State, take: TakeId, entry: Entry | undefined): boolean {
  if (entry === undefined) return false;
  const following = entries(state, take, entry);
  following.next();
  return !following.next().done;
}
