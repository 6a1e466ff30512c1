import { activeTake, entries, keyOf, kindOf, preview, type RecordId, type State, takeById, takeOf } from "@retake/core";

/** What a person calls a record: an entry by its number and what it says, a take by its name. */
export function nameRecord(state: State, record: RecordId): string {
  const [kind, key] = [kindOf(record), keyOf(record)];
  switch (kind) {
    case "entry": {
      let number = 0;
      for (const entry of entries(state, takeOf(record) ?? activeTake(state))) {
        number += 1;
        if (entry.id === key) return `entry ${number} "${preview(entry, 30)}"`;
      }
      return "an entry that is gone";
    }
    case "take":
      return `the take ${takeById(state, key)?.name ?? key}`;
    case "active":
      return "which take is active";
    case "thread":
      return "the discussion itself";
    default:
      return key === "" ? `the ${kind}` : `the ${kind} ${key}`;
  }
}
