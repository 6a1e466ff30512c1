import { AI, type Entry, TOOL, type ToolCall, type ToolResult } from "../session/entry.ts";
import { CallIds } from "./sendable-name.ts";

/**
 * Finds which result answers which call. Ids alone are not enough: users copy, reorder and remove entries, so an id may
 * name several calls, a call may have several results, and a result may stand anywhere.
 *
 * A result answers the nearest step before it that still waits for that id, and there the first call that waits. So a
 * copied turn pairs with itself, two calls with one id in one step pair in order, and a second result for one call
 * answers nothing. A result that stands before every call with its id (the user moved it) answers the first of them.
 */
export function pairTools(entries: readonly Entry[]): Pairing {
  const steps = new Map<number, readonly PairedCall[]>();
  const answers = new Map<number, PairedCall>();
  const rerolled = new Map<string, number>();
  /** For each id the calls without a result; the next result answers the one on top. */
  const waiting = new Map<string, PairedCall[]>();
  /** Results that stand before every call with their id. */
  const early = new Map<string, number>();
  const ids = new CallIds();

  const answer = (call: PairedCall | undefined, result: number): void => {
    if (!call) return;
    call.result = result;
    answers.set(result, call);
  };

  entries.forEach((entry, index) => {
    if (isResult(entry)) {
      const id = entry.tool_result.call_id;
      const stack = waiting.get(id);
      if (stack) answer(stack.pop(), index);
      else if (!early.has(id)) early.set(id, index);
    } else if (entry.role === AI && entry.tool_calls) {
      const calls = entry.tool_calls.map(
        (call): PairedCall => ({ entry: index, call, id: ids.next(call.id), result: undefined }),
      );
      steps.set(index, calls);
      // Backwards, so that the first of a step's calls with the same id is on top.
      for (const call of calls.toReversed()) {
        const stack = waiting.get(call.call.id);
        if (stack) stack.push(call);
        else waiting.set(call.call.id, [call]);
      }
      for (const { call } of early.size > 0 ? calls : []) {
        const result = early.get(call.id);
        if (result !== undefined) answer(waiting.get(call.id)?.pop(), result);
        early.delete(call.id);
      }
    } else if (entry.tool_result) {
      rerolled.set(entry.tool_result.call_id, index);
    }
  });
  return { steps, answers, rerolled, called: waiting };
}

export interface Pairing {
  /** The calls of each entry that makes calls, by the entry's index. */
  readonly steps: ReadonlyMap<number, readonly PairedCall[]>;
  /** The call that a result's entry answers, by the entry's index. */
  readonly answers: ReadonlyMap<number, PairedCall>;
  /** Entries that were results until the user changed their role, by call id. */
  readonly rerolled: ReadonlyMap<string, number>;
  /** Every id that some call has, as written in the entries. */
  readonly called: { has(id: string): boolean };
}

export interface PairedCall {
  /** Index of the entry that makes the call. */
  readonly entry: number;
  readonly call: ToolCall;
  /** The id in the request. */
  readonly id: string;
  /** Index of the entry that answers it. */
  result: number | undefined;
}

export type ResultEntry = Entry & { readonly tool_result: ToolResult };

export function isResult(entry: Entry): entry is ResultEntry {
  return entry.role === TOOL && entry.tool_result !== undefined;
}
