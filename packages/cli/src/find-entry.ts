import { type Entry, entries, entryAt, entryById, type State, type TakeId } from "@retake/core";
import { wrongUsage } from "./command.ts";
import { onlyOne } from "./only-one.ts";

/** An entry by its id, by the beginning of its id, or by its number in `retake entries`. */
export function findEntry(state: State, take: TakeId, name: string | undefined): Entry {
  if (name === undefined) throw wrongUsage("Name an entry by its id or its number. retake entries lists them.");
  const exact = entryById(state, take, name);
  if (exact) return exact;
  const found = new Map<string, Entry>();
  const numbered = /^[1-9]\d{0,8}$/.test(name) ? entryAt(state, take, Number(name) - 1) : undefined;
  if (numbered) found.set(numbered.id, numbered);
  for (const entry of entries(state, take)) if (entry.id.startsWith(name)) found.set(entry.id, entry);
  return onlyOne(ENTRY, name, found.values(), ({ id }) => id);
}

const ENTRY = { one: "an entry", noun: "entry", many: "entries", list: "retake entries" };
