import fc from "fast-check";
import type { Entry, ToolCall, ToolStatus } from "../../session/entry.ts";
import type { Json, JsonObject } from "../../values/json.ts";
import { attachments, hostileText, role, status } from "./random-history.ts";

/** A change to a conversation by a user, a crash, an import or another client. */
export type RandomEdit = (entries: readonly Entry[]) => Entry[];

const place = fc.nat({ max: 1000 });
const value = fc.oneof(
  fc.jsonValue() as fc.Arbitrary<Json>,
  fc.constantFrom<Json>(null, "text", 7, [], ["\ud800"], { "\udc00": "\ud800" }, nested(50)),
);

export const randomEdit: fc.Arbitrary<RandomEdit> = fc.oneof(
  fc.tuple(place, hostileText).map(([at, content]) => onEntry(at, (entry) => ({ ...entry, content }))),
  fc.tuple(place, role).map(([at, role]) => onEntry(at, (entry) => ({ ...entry, role }))),
  fc.tuple(place, status).map(([at, status]) => onEntry(at, (entry) => withStatus(entry, status))),
  place.map((at) => onEntry(at, ({ thinking_segments: _, ...entry }) => entry as Entry)),
  place.map(
    (at): RandomEdit =>
      (entries) =>
        entries.filter((_, index) => index !== at % entries.length),
  ),
  fc.tuple(place, role, hostileText).map(([at, role, content]) => inserting(at, role, content)),
  fc.tuple(place, place).map(([from, to]) => moving(from, to)),
  place.map(
    (at): RandomEdit =>
      (entries) =>
        entries.slice(0, at % (entries.length + 1)),
  ),
  place.map(
    (at): RandomEdit =>
      (entries) =>
        entries.slice(at % (entries.length + 1)),
  ),
  fc.tuple(place, fc.nat({ max: 99 })).map(([at, copy]) => branching(at, copy)),
  fc.tuple(place, place, fc.nat({ max: 99 })).map(([from, to, copy]) => repeating(from, to, copy)),
  fc.tuple(place, status).map(([at, status]) => interrupting(at, status)),
  fc.tuple(place, place, hostileText).map(([at, which, id]) => onCall(at, which, (call) => ({ ...call, id }))),
  fc.tuple(place, place, hostileText).map(([at, which, name]) => onCall(at, which, (call) => ({ ...call, name }))),
  fc
    .tuple(place, place, value)
    .map(([at, which, input]) => onCall(at, which, (call) => ({ ...call, input: input as JsonObject }))),
  fc.tuple(place, hostileText).map(([at, id]) => onEntry(at, (entry) => withCallId(entry, id))),
  fc.tuple(place, place).map(([from, to]) => transplanting(from, to)),
  fc.tuple(place, attachments).map(([at, attached]) => onEntry(at, (entry) => ({ ...entry, attached }))),
  fc.tuple(place, value).map(([at, junk]) => onEntry(at, (entry) => ({ ...entry, attached: [junk] as never }))),
);

function onEntry(at: number, change: (entry: Entry) => Entry): RandomEdit {
  return (entries) => entries.map((entry, index) => (index === at % entries.length ? change(entry) : entry));
}

function onCall(at: number, which: number, change: (call: ToolCall) => ToolCall): RandomEdit {
  return onEntry(at, (entry) => {
    const calls = entry.tool_calls;
    if (!calls) return entry;
    return { ...entry, tool_calls: calls.map((call, index) => (index === which % calls.length ? change(call) : call)) };
  });
}

function withStatus(entry: Entry, status: ToolStatus): Entry {
  return entry.tool_result ? { ...entry, tool_result: { ...entry.tool_result, status } } : entry;
}

function withCallId(entry: Entry, call_id: string): Entry {
  return entry.tool_result ? { ...entry, tool_result: { ...entry.tool_result, call_id } } : entry;
}

function inserting(at: number, role: string, content: string): RandomEdit {
  return (entries) => {
    const id = `i${entries.length}-${at}`;
    const entry: Entry = { id, order: id, role, content, ts: "", collapsed: false, read_mode: false };
    return entries.toSpliced(at % (entries.length + 1), 0, entry);
  };
}

function moving(from: number, to: number): RandomEdit {
  return (entries) => {
    const moved = entries[from % entries.length];
    return moved ? entries.toSpliced(from % entries.length, 1).toSpliced(to % entries.length, 0, moved) : [...entries];
  };
}

/** Copies everything up to and including an entry, as a take does: entries get new ids, calls do not. */
function branching(at: number, copy: number): RandomEdit {
  return (entries) =>
    entries.slice(0, (at % entries.length) + 1).map((entry) => ({ ...entry, id: `${entry.id}b${copy}` }));
}

function repeating(from: number, to: number, copy: number): RandomEdit {
  return (entries) => {
    const start = from % entries.length;
    const again = entries.slice(start, start + 4).map((entry) => ({ ...entry, id: `${entry.id}r${copy}` }));
    return entries.toSpliced(to % (entries.length + 1), 0, ...again);
  };
}

/** A kill: later entries never existed, and the last entry is cut. */
function interrupting(at: number, status: ToolStatus): RandomEdit {
  return (entries) => {
    const kept = entries.slice(0, (at % entries.length) + 1);
    const cut = kept.at(-1);
    if (!cut) return kept;
    return [...kept.slice(0, -1), withStatus({ ...cut, content: cut.content.slice(0, 3) }, status)];
  };
}

function transplanting(from: number, to: number): RandomEdit {
  return (entries) => {
    const thinking_segments = entries[from % entries.length]?.thinking_segments;
    return thinking_segments ? onEntry(to, (entry) => ({ ...entry, thinking_segments }))(entries) : [...entries];
  };
}

function nested(depth: number): Json {
  return depth === 0 ? "deep" : { in: nested(depth - 1) };
}
