import type { Entry } from "@retake/core";

/** The fields of an entry that are always there; it has all its others too, also unknown ones. */
export type EntryJson = {
  id: string;
  role: string;
  content: string;
  ts: string;
  collapsed: boolean;
  read_mode: boolean;
  [key: string]: unknown;
};

/** An entry as JSON. */
export function entryJson({ order: _, ...entry }: Entry): EntryJson {
  return entry as EntryJson;
}
