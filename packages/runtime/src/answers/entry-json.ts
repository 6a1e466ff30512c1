import { activeTake, type Entry, entryById, type State } from "@retake/core";

/** An entry as other programs are told of it: all its fields, also those that we do not know. */
export function entryJson({ order: _, ...entry }: Entry): object {
  return entry;
}

/** The entry that a change was about, as it is now. */
export function entryAnswer(state: State, id: string): { entry?: object } {
  const entry = entryById(state, activeTake(state), id);
  return entry ? { entry: entryJson(entry) } : {};
}
