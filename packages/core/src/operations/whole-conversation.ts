import { type Built, build, type Context, type Draft } from "../session/draft.ts";
import { type Entry, USER } from "../session/entry.ts";
import { type EntryInput, entryProblem, newEntry } from "../session/entry-input.ts";
import { spaceId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import type { State } from "../session/state.ts";
import { entries, entryById, roles, runningTurn } from "../session/view.ts";
import { longestIncreasing } from "../values/longest-increasing.ts";
import { keysBetween } from "../values/order-key.ts";
import { nameOf, quoted } from "../values/text.ts";
import { isoTime } from "../values/time.ts";
import { placeEntry } from "./insert-entry.ts";
import { inTurn } from "./turn.ts";

/** Operations on the conversation of a take as a whole. Each is one step, and one undo takes it back. */

/** B3: removes all entries of the take. */
export function clearEntries(state: State, context: Context): Built {
  return build(state, context, (draft) => {
    const running = whileRunning(draft);
    if (running) return running;
    const removed = removeAll(draft, [...entries(draft.base, draft.take)]);
    return { kind: "entries-cleared", description: `Clear ${count(removed, "entry", "entries")}` };
  });
}

/** B10: keeps the last pairs. A pair is a user's entry and all that follows until the next one. */
export function truncateEntries(state: State, context: Context, input: { readonly pairs: number }): Built {
  return build(state, context, (draft) => {
    const running = whileRunning(draft);
    if (running) return running;
    const { pairs } = input;
    if (!Number.isInteger(pairs) || pairs < 0)
      return refuse("invalid-input", "The number of pairs must be a whole number from 0. Nothing was changed.");
    const list = [...entries(draft.base, draft.take)];
    const starts = list.flatMap((entry, index) =>
      entry.role === USER && entry.tool_result === undefined ? [index] : [],
    );
    const first = pairs === 0 ? list.length : (starts[starts.length - pairs] ?? 0);
    if (first === 0)
      return refuse("nothing-to-do", `There are no more than ${count(pairs, "pair", "pairs")}. Nothing was changed.`);
    const removed = removeAll(draft, list.slice(0, first));
    return {
      kind: "entries-truncated",
      description: `Truncate to ${count(pairs, "pair", "pairs")}: ${count(removed, "entry", "entries")} removed`,
    };
  });
}

/**
 * B11: replaces the conversation with the model's summary; with `through`, only up to that entry. With `turn_id`, it is a part of
 * that running turn and goes with it: a retry makes room so, and one undo still brings the first answer back.
 */
export function compressEntries(
  state: State,
  context: Context,
  input: {
    readonly summary: EntryInput;
    readonly through?: string;
    readonly automatic?: boolean;
    readonly turn_id?: string;
  },
): Built {
  const compress = (draft: Draft): string | Refusal => {
    const problem = summaryProblem(input.summary);
    if (problem) return refuse("invalid-input", `The summary's ${problem}. Nothing was changed.`);
    const all = [...entries(draft.base, draft.take)];
    if (all.length === 0) return refuse("nothing-to-do", "There is nothing to compress. Nothing was changed.");
    if (all.some((entry) => entry.id === input.summary.id)) {
      return refuse("already-exists", `There is an entry ${input.summary.id} already. Nothing was changed.`);
    }
    const last = input.through === undefined ? all.length - 1 : all.findIndex(({ id }) => id === input.through);
    if (last < 0) return refuse("not-found", `There is no entry ${quoted(input.through)}. Nothing was changed.`);
    const removed = removeAll(draft, all.slice(0, last + 1));
    const next = all[last + 1];
    placeEntry(draft, input.summary, { before: next && entryById(draft.state, draft.take, next.id) });
    const why = input.automatic ? ", because the context was full" : "";
    return `Compress ${count(removed, "entry", "entries")} into one${why}`;
  };
  const { turn_id } = input;
  if (turn_id !== undefined) return inTurn(state, context, { turn_id }, "turn-streamed", compress);
  return build(state, context, (draft) => {
    const description = whileRunning(draft) ?? compress(draft);
    return typeof description === "string" ? { kind: "entries-compressed", description } : description;
  });
}

/**
 * S10: sets the conversation to a list of entries. An entry with a known id keeps the facts of its origin that the list
 * does not mention. Entries that are not in the list are removed.
 */
export function replaceEntries(
  state: State,
  context: Context,
  input: { readonly entries: readonly EntryInput[] },
): Built {
  return build(state, context, (draft) => {
    const running = whileRunning(draft);
    if (running) return running;
    const problem = listProblem(input.entries);
    if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
    const before = new Map([...entries(draft.base, draft.take)].map((entry) => [entry.id, entry]));
    const wanted = input.entries.map((entry) => entry.id);
    const stay = new Set(wanted);
    removeAll(
      draft,
      [...before.values()].filter((entry) => !stay.has(entry.id)),
    );
    const keys = ordersFor(
      draft,
      wanted.map((id) => before.get(id)?.order),
    );
    const role = roles(draft.state, draft.take)[0] ?? USER;
    input.entries.forEach((entry, index) => {
      const known = before.get(entry.id);
      const added = newEntry(entry, {
        order: keys[index] ?? "",
        role: known?.role ?? role,
        ts: known?.ts ?? isoTime(draft.at),
        ...(known?.turn_id === undefined ? {} : { turn_id: known.turn_id }),
      });
      draft.put(spaceId(draft.take, "entry", entry.id), added as never);
    });
    return {
      kind: "entries-replaced",
      description: `Replace the conversation by ${count(wanted.length, "entry", "entries")}`,
    };
  });
}

/** Keeps as many existing order keys as possible, and makes new ones between them. */
function ordersFor(draft: Draft, orders: readonly (string | undefined)[]): string[] {
  const stable = longestIncreasing(orders);
  const result: string[] = [];
  let at = 0;
  while (at < orders.length) {
    const order = orders[at];
    if (order !== undefined && stable.has(at)) {
      result.push(order);
      at += 1;
      continue;
    }
    let end = at;
    while (end < orders.length && !stable.has(end)) end += 1;
    result.push(...keysBetween(result.at(-1), orders[end], draft.version, end - at));
    at = end;
  }
  return result;
}

function removeAll(draft: Draft, list: readonly Entry[]): number {
  for (const entry of list) draft.remove(spaceId(draft.take, "entry", entry.id));
  return list.length;
}

export function whileRunning(draft: Draft): Refusal | undefined {
  if (runningTurn(draft.base, draft.take) === undefined) return undefined;
  return refuse(
    "agent-running",
    "The agent is working in this take. Stop it (retake stop) or wait until it is done; nothing was changed.",
  );
}

function summaryProblem(summary: EntryInput): string | undefined {
  const problem = entryProblem(summary);
  if (problem) return problem;
  if (summary.id === undefined) return "id is missing";
  return (summary.content ?? "").trim() === "" ? "content is empty" : undefined;
}

export function listProblem(list: unknown): string | undefined {
  if (!Array.isArray(list)) return `The entries must be a list, not ${nameOf(list)}`;
  const seen = new Set<string>();
  for (const [index, entry] of list.entries()) {
    const problem = entryProblem(entry) ?? (entry.id === undefined ? "id is missing" : undefined);
    if (problem) return `Entry ${index}: its ${problem}`;
    if (seen.has(entry.id)) return `Entry ${index}: its id ${entry.id} stands there twice`;
    seen.add(entry.id);
  }
  return undefined;
}

export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
