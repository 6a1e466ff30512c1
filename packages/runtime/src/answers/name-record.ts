import { activeTake, entryById, keyOf, kindOf, preview, type RecordId, takeById, takeOf } from "@retake/core";
import { nameOfEntry, nameOfTurn } from "../names/name-things.ts";
import type { NameScope } from "../store/name-index.ts";

/** The name of a record for a person: an entry by its name and its text, a take by its name. */
export function nameRecord(scope: NameScope, record: RecordId): string {
  const { state } = scope.history;
  const [kind, key] = [kindOf(record), keyOf(record)];
  switch (kind) {
    case "entry": {
      const entry = entryById(state, takeOf(record) ?? activeTake(state), key);
      return entry ? `entry ${nameOfEntry(scope, key)} "${preview(entry, 30)}"` : "an entry that is gone";
    }
    case "turn":
      return `the turn ${nameOfTurn(scope, key)}`;
    case "take":
      return `the take ${takeById(state, key)?.name ?? key}`;
    case "active":
      return "which take is active";
    case "thread":
      return "the thread itself";
    default:
      return key === "" ? `the ${kind}` : `the ${kind} ${key}`;
  }
}
