import { AI, type Entry, type ToolCall, type ToolResult, VENDOR } from "../session/entry.ts";
import { CallIds } from "./sendable-name.ts";

/**
 * Which result answers which call. Ids alone do not say: entries are copied, reordered and removed,
 * so an id may name several calls, a call may have several results, and a result may stand anywhere.
 *
 * A result answers the nearest step before it that still waits for that id, and there the first
 * call that waits. So a copied turn pairs with itself, two calls with one id in one step pair in
 * order, and a second result for one call answers nothing. A result that stands before every call
 * with its id (the user moved it) answers the first of them.
 */
export function pairTools(entries: readonly Entry[]): Pairing {
  const steps = new Map<number, PairedCall[]>();
  const answers = new Map<number, PairedCall>();
  const rerolled = new Map<string, number>();
  const waiting = new Map<string, Waiting[]>();
  const early = new Map<string, number>();
  const ids = new CallIds();

  const answer = (call: PairedCall, result: number): void => {
    call.result = result;
    answers.set(result, call);
  };

  for (const [index, entry] of entries.entries()) {
    if (isResult(entry)) {
      const id = entry.tool_result.call_id;
      const groups = waiting.get(id);
      const nearest = groups?.at(-1);
      const call = nearest?.calls[nearest.answered];
      if (nearest && call) {
        answer(call, index);
        nearest.answered += 1;
        if (nearest.answered === nearest.calls.length) groups?.pop();
      } else if (!groups && !early.has(id)) early.set(id, index);
    } else if (entry.role === AI && entry.tool_calls) {
      const calls = entry.tool_calls.map((call): PairedCall => ({ entry: index, call, id: ids.next(call.id) }));
      if (calls.length > 0) steps.set(index, calls);
      for (const call of calls) {
        const groups = waiting.get(call.call.id) ?? [];
        waiting.set(call.call.id, groups);
        const first = early.get(call.call.id);
        early.delete(call.call.id);
        const here = groups.at(-1);
        if (first !== undefined) answer(call, first);
        else if (here?.entry === index) here.calls.push(call);
        else groups.push({ entry: index, calls: [call], answered: 0 });
      }
    } else if (entry.tool_result) {
      rerolled.set(entry.tool_result.call_id, index);
    }
  }
  return { steps, answers, rerolled, called: new Set(waiting.keys()) };
}

export interface Pairing {
  /** The calls of each entry that makes some, by the entry's index. */
  readonly steps: ReadonlyMap<number, readonly PairedCall[]>;
  /** The call that a result's entry answers, by the entry's index. */
  readonly answers: ReadonlyMap<number, PairedCall>;
  /** Entries that were results until the user changed their role, by call id. */
  readonly rerolled: ReadonlyMap<string, number>;
  /** Every id that some call has, as the entries write it. */
  readonly called: ReadonlySet<string>;
}

export interface PairedCall {
  /** Index of the entry that makes the call. */
  readonly entry: number;
  readonly call: ToolCall;
  /** The id it is sent under. */
  readonly id: string;
  /** Index of the entry that answers it. */
  result?: number;
}

/** The calls with one id in one step; the first `answered` of them have their result. */
interface Waiting {
  readonly entry: number;
  readonly calls: PairedCall[];
  answered: number;
}

export type ResultEntry = Entry & { readonly tool_result: ToolResult };

export function isResult(entry: Entry): entry is ResultEntry {
  return entry.role === VENDOR && entry.tool_result !== undefined;
}
