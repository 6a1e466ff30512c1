/**
 * The rows of a conversation, as every screen lists them. The list is of turns: a header for each, then its entries, and a
 * tool call with its result as one row. Entries that no turn wrote stand between turns, where they are in the conversation.
 *
 * A folded turn is its header only. Rows are made from a window, so the first turn may begin before the window does.
 */
import { type Entry, entries, entryName, type ToolCall, type Turn, turn as turnById, turnName } from "@retake/core";
import type { SessionView } from "../session-view.ts";

export type Row = TurnRow | EntryRow | CallRow;

export interface TurnRow {
  readonly kind: "turn";
  readonly key: string;
  readonly turn: Turn;
  /** `#7`. */
  readonly name: string;
  readonly folded: boolean;
  /** How many rows of it follow, or would follow if it were not folded. */
  readonly rows: number;
}

export interface EntryRow {
  readonly kind: "entry";
  readonly key: string;
  readonly entry: Entry;
  /** `#7.2`, or the entry's id. */
  readonly name: string;
  readonly turn: string | undefined;
}

/** A call, with the entry of its result once there is one. */
export interface CallRow {
  readonly kind: "call";
  readonly key: string;
  readonly call: ToolCall;
  /** The entry that asks for the call. */
  readonly asker: Entry;
  readonly result: Entry | undefined;
  /** `#7.2.1`. */
  readonly name: string;
  readonly turn: string | undefined;
}

export function rowsOf(view: SessionView, isFolded: (turn: Turn, fromEnd: number) => boolean): Row[] {
  const { state, take } = view;
  const list = [...entries(state, take)];
  const results = resultsByCall(list);
  const shown = new Set<string>();
  const rows: Row[] = [];
  let header: { readonly at: number; readonly turn: Turn } | undefined;
  const headers: { readonly at: number; readonly turn: Turn; rows: number }[] = [];
  const numberOf = (id: string) => turnById(state, take, id)?.number;
  for (const entry of list) {
    const { turn_id: id } = entry;
    if (id !== header?.turn.id) {
      const turn = id === undefined ? undefined : turnById(state, take, id);
      header = turn && { at: rows.length, turn };
      if (header) {
        headers.push({ ...header, rows: 0 });
        rows.push({
          kind: "turn",
          key: `turn:${id}:${entry.id}`,
          turn: header.turn,
          name: turnName(header.turn.number),
          folded: false,
          rows: 0,
        });
      }
    }
    if (shown.has(entry.id)) continue;
    const own = rowsOfEntry(entry, results, shown, numberOf);
    rows.push(...own);
    const last = headers.at(-1);
    if (header && last) last.rows += own.length;
  }
  return withFolds(rows, headers, isFolded);
}

/** The text that a screen shows in one line for an entry or a call that is folded. */
export function callSummary({ name, input }: Pick<ToolCall, "name" | "input">): string {
  const first = input["command"] ?? input["path"] ?? input["pattern"] ?? Object.values(input)[0];
  const text = typeof first === "string" ? first : first === undefined ? "" : JSON.stringify(first);
  const line = text.replace(/\s+/g, " ").trim();
  return line === "" ? name : `${name} ${line}`;
}

function rowsOfEntry(
  entry: Entry,
  results: ReadonlyMap<string, Entry>,
  shown: Set<string>,
  numberOf: (turn: string) => number | undefined,
): Row[] {
  const turn = entry.turn_id;
  const calls = entry.tool_calls ?? [];
  const silent = calls.length > 0 && entry.content === "" && (entry.thinking_segments ?? []).length === 0;
  const rows: Row[] = silent
    ? []
    : [{ kind: "entry", key: entry.id, entry, name: entryName(entry.id, numberOf), turn }];
  calls.forEach((call, index) => {
    const result = results.get(`${turn ?? ""} ${call.id}`);
    if (result) shown.add(result.id);
    const name = result ? entryName(result.id, numberOf) : `${entryName(entry.id, numberOf)}.${index + 1}`;
    rows.push({ kind: "call", key: `call:${entry.id}:${index}`, call, asker: entry, result, name, turn });
  });
  return rows;
}

/** The results that answer a call, by turn and call. A result whose role the user changed is an entry like any other. */
function resultsByCall(list: readonly Entry[]): Map<string, Entry> {
  const asked = new Set(
    list.flatMap(({ turn_id = "", tool_calls = [] }) => tool_calls.map(({ id }) => `${turn_id} ${id}`)),
  );
  const results = new Map<string, Entry>();
  for (const entry of list) {
    const key = `${entry.turn_id ?? ""} ${entry.tool_result?.call_id ?? ""}`;
    if (entry.tool_result && asked.has(key) && !results.has(key)) results.set(key, entry);
  }
  return results;
}

function withFolds(
  rows: readonly Row[],
  headers: readonly { readonly at: number; readonly turn: Turn; readonly rows: number }[],
  isFolded: (turn: Turn, fromEnd: number) => boolean,
): Row[] {
  const byPosition = new Map(headers.map((each, index) => [each.at, { ...each, fromEnd: headers.length - 1 - index }]));
  const result: Row[] = [];
  let skip = 0;
  rows.forEach((row, index) => {
    const header = byPosition.get(index);
    if (header && row.kind === "turn") {
      const folded = isFolded(header.turn, header.fromEnd);
      result.push({ ...row, folded, rows: header.rows });
      skip = folded ? header.rows : 0;
    } else if (skip > 0) skip -= 1;
    else result.push(row);
  });
  return result;
}
