import { type Built, build, type Context, type Draft } from "../session/draft.ts";
import { preview } from "../session/entry.ts";
import { type EntryInput, entryProblem, newEntry } from "../session/entry-input.ts";
import { spaceId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { orderIndex, type State } from "../session/state.ts";
import { entryAt, entryCount, roles } from "../session/view.ts";
import { keysBetween, needsRoom } from "../values/order-key.ts";
import { isoTime } from "../values/time.ts";
import { findEditable, findEntry } from "./edit-entry.ts";

export type Place = { readonly before?: string; readonly index?: number };

/** A5, B1: inserts an entry before another, at an index, or at the end. Its role is the first of the list unless given. */
export function insertEntry(state: State, context: Context, input: { readonly entry: EntryInput } & Place): Built {
  return build(state, context, (draft) => {
    const problem = entryProblem(input.entry) ?? (input.entry.id === undefined ? "id is missing" : undefined);
    if (problem) return refuse("invalid-input", `The entry's ${problem}. Nothing was changed.`);
    const index = indexOf(draft, input);
    if (typeof index !== "number") return index;
    if (draft.get(spaceId(draft.take, "entry", input.entry.id))) {
      return refuse("already-exists", `There is an entry ${input.entry.id} already. Nothing was changed.`);
    }
    const entry = placeEntry(draft, input.entry, index);
    return {
      kind: "entry-inserted",
      description: `Insert ${entry.role} entry${entry.content === "" ? "" : ` "${preview(entry, 40)}"`}`,
    };
  });
}

/** A6: removes an entry. */
export function removeEntry(state: State, context: Context, input: { readonly entry: string }): Built {
  return build(state, context, (draft) => {
    const found = findEditable(draft, input.entry);
    if (found.kind === "refused") return found;
    draft.remove(spaceId(draft.take, "entry", input.entry));
    return { kind: "entry-removed", description: `Remove ${found.entry.role} entry "${preview(found.entry, 40)}"` };
  });
}

/** Puts a new entry at an index, and gives its neighbours new keys when there is no room for short ones. */
export function placeEntry(draft: Draft, input: EntryInput, index: number, turn_id?: string) {
  const { take, version } = draft;
  const left = entryAt(draft.state, take, index - 1)?.order;
  const right = entryAt(draft.state, take, index)?.order;
  const [key = ""] = keysBetween(left, right, version, 1);
  const order = needsRoom(key) ? makeRoom(draft, index) : key;
  const role = roles(draft.state, take)[0] ?? "";
  const entry = newEntry(input, { order, role, ts: isoTime(draft.at), ...(turn_id === undefined ? {} : { turn_id }) });
  draft.put(spaceId(take, "entry", entry.id), entry as never);
  return entry;
}

/**
 * Someone has inserted in ever narrower gaps. The entries around the place, as few as will do, get
 * new short keys; the window grows until the keys at its edges leave room.
 */
function makeRoom(draft: Draft, index: number): string {
  const { take, version } = draft;
  const count = entryCount(draft.state, take);
  for (let reach = 8; ; reach *= 2) {
    const from = Math.max(0, index - reach);
    const to = Math.min(count, index + reach);
    const left = entryAt(draft.state, take, from - 1)?.order;
    const right = entryAt(draft.state, take, to)?.order;
    const keys = keysBetween(left, right, version, to - from + 1);
    const whole = from === 0 && to === count;
    if (!whole && keys.some((key) => key.length > 40)) continue;
    const window = Array.from({ length: to - from }, (_, offset) => entryAt(draft.state, take, from + offset));
    window.forEach((entry, offset) => {
      const order = keys[offset < index - from ? offset : offset + 1];
      if (entry && order !== undefined) draft.update(spaceId(take, "entry", entry.id), { order });
    });
    return keys[index - from] as string;
  }
}

function indexOf(draft: Draft, place: Place): number | Refusal {
  const count = entryCount(draft.state, draft.take);
  if (place.before !== undefined) {
    const found = findEntry(draft, place.before);
    if (found.kind === "refused") return found;
    return draft.state.spaces.get(draft.take)?.order.rank(orderIndex(found.entry)) ?? count;
  }
  if (place.index === undefined) return count;
  if (Number.isInteger(place.index) && place.index >= 0 && place.index <= count) return place.index;
  return refuse("invalid-input", `The index must be a whole number from 0 to ${count}. Nothing was changed.`);
}
