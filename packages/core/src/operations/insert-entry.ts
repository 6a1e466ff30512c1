import { type Built, build, type Context, type Draft } from "../session/draft.ts";
import { type Entry, preview } from "../session/entry.ts";
import { type EntryInput, entryProblem, newEntry } from "../session/entry-input.ts";
import { spaceId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import type { State } from "../session/state.ts";
import { entries, entriesBack, entryAt, entryCount, roles } from "../session/view.ts";
import { keysBetween, needsRoom } from "../values/order-key.ts";
import { isoTime } from "../values/time.ts";
import { findEditable, findEntry } from "./edit-entry.ts";

export type InsertPosition = { readonly before?: string; readonly index?: number };

/**
 * A5, B1: inserts an entry before another, at an index, or at the end. Without a role it gets the first one of the
 * list.
 */
export function insertEntry(
  state: State,
  context: Context,
  input: { readonly entry: EntryInput } & InsertPosition,
): Built {
  return build(state, context, (draft) => {
    const problem = entryProblem(input.entry) ?? (input.entry.id === undefined ? "id is missing" : undefined);
    if (problem) return refuse("invalid-input", `The entry's ${problem}. Nothing was changed.`);
    const next = nextOf(draft, input);
    if (next?.kind === "refused") return next;
    if (draft.get(spaceId(draft.take, "entry", input.entry.id))) {
      return refuse("already-exists", `There is an entry ${input.entry.id} already. Nothing was changed.`);
    }
    const entry = placeEntry(draft, input.entry, { before: next?.entry });
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

/**
 * Puts a new entry before another or at the end. When there is no room for a short order key, the neighbours get new
 * keys.
 */
export function placeEntry(
  draft: Draft,
  input: EntryInput,
  { before, turn_id }: { readonly before?: Entry | undefined; readonly turn_id?: string } = {},
) {
  const { take, version } = draft;
  // A key at the end needs no neighbour.
  const left: string | undefined = before && entriesBack(draft.state, take, before).next().value?.order;
  const [key = ""] = keysBetween(left, before?.order, version, 1);
  const order = before && needsRoom(key) ? makeRoom(draft, before) : key;
  const role = roles(draft.state, take)[0] ?? "";
  const entry = newEntry(input, { order, role, ts: isoTime(draft.at), ...(turn_id === undefined ? {} : { turn_id }) });
  draft.put(spaceId(take, "entry", entry.id), entry as never);
  return entry;
}

/**
 * Inserts in ever narrower gaps make keys long. This gives new short keys to as few entries around the place as
 * possible: the window grows until the keys at its edges leave room. Returns the key right before `next`.
 */
function makeRoom(draft: Draft, next: Entry): string {
  const { state, take, version } = draft;
  for (let reach = 8; ; reach *= 2) {
    const [before, left] = some(entriesBack(state, take, next), reach);
    const [after, right] = some(entries(state, take, next), reach);
    const window = [...before.reverse(), ...after];
    const keys = keysBetween(left?.order, right?.order, version, window.length + 1);
    const whole = left === undefined && right === undefined;
    if (!whole && keys.some((key) => key.length > 40)) continue;
    const [own] = keys.splice(before.length, 1);
    window.forEach((entry, at) => void draft.update(spaceId(take, "entry", entry.id), { order: keys[at] as string }));
    return own as string;
  }
}

/** The first `count` entries, and the one after them. */
function some(list: IterableIterator<Entry>, count: number): [Entry[], Entry | undefined] {
  const found: Entry[] = [];
  for (const entry of list) {
    if (found.length === count) return [found, entry];
    found.push(entry);
  }
  return [found, undefined];
}

/** The entry that a new one is inserted before; undefined at the end. */
function nextOf(draft: Draft, place: InsertPosition): { kind: "found"; entry: Entry } | Refusal | undefined {
  if (place.before !== undefined) return findEntry(draft, place.before);
  if (place.index === undefined) return undefined;
  const count = entryCount(draft.state, draft.take);
  if (!Number.isInteger(place.index) || place.index < 0 || place.index > count)
    return refuse("invalid-input", `The index must be a whole number from 0 to ${count}. Nothing was changed.`);
  const entry = entryAt(draft.state, draft.take, place.index);
  return entry && { kind: "found", entry };
}
