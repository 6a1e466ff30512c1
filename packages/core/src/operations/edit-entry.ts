import { type Built, build, type Context, type Draft } from "../session/draft.ts";
import { type Entry, preview } from "../session/entry.ts";
import { entryProblem } from "../session/entry-input.ts";
import type { OperationKind } from "../session/operation.ts";
import { spaceId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { actorKey, type State } from "../session/state.ts";
import { entries, entryById, runningTurn } from "../session/view.ts";
import { isObject, type Json } from "../values/json.ts";
import { quoted } from "../values/text.ts";

/** Two changes of one field less than this many milliseconds apart belong to one burst of typing (S4). */
const TYPING_GAP = 1000;
/** Fields that identify an entry and its origin; an edit does not change them. */
export const FIXED: readonly string[] = ["id", "order", "turn_id"];

/** A1: replaces the text of an entry. With `typing`, a burst of edits is one step. */
export function editEntry(
  state: State,
  context: Context,
  input: { readonly entry: string; readonly content: string; readonly typing?: boolean },
): Built {
  return patchEntry(state, context, {
    entry: input.entry,
    patch: { content: input.content },
    typing: input.typing === true,
  });
}

/**
 * A2, A3, A4: changes any fields of an entry, also open keys; null removes an open key. How it is shown and who speaks
 * are steps of their own kinds.
 */
export function patchEntry(
  state: State,
  context: Context,
  input: {
    readonly entry: string;
    readonly patch: { readonly [key: string]: Json | undefined };
    readonly typing?: boolean;
  },
): Built {
  return build(state, context, (draft) => {
    const { entry: id, patch } = input;
    const entry = findEditable(draft, id);
    if (entry.kind === "refused") return entry;
    const fixed = isObject(patch) && Object.keys(patch).find((key) => FIXED.includes(key));
    if (fixed) return refuse("invalid-input", `An entry's ${fixed} cannot be changed. Nothing was changed.`);
    const problem = entryProblem(isObject(patch) ? withoutNulls(patch) : patch);
    if (problem) return refuse("invalid-input", `The entry's ${problem}. Nothing was changed.`);
    const record = spaceId(draft.take, "entry", id);
    draft.update(record, Object.fromEntries(Object.entries(patch).map(([key, value]) => [key, value ?? undefined])));
    const kind = kindOfPatch(Object.keys(patch));
    const group = input.typing === true && kind === "entry-edited" ? typingGroup(draft, record) : undefined;
    return { kind, description: describe(kind, entry.entry, patch), ...(group ? { group } : {}) };
  });
}

/** B2: collapses or expands all entries. */
export function showAllEntries(state: State, context: Context, input: { readonly collapsed: boolean }): Built {
  return build(state, context, (draft) => {
    if (typeof input.collapsed !== "boolean") return refuse("invalid-input", "collapsed must be true or false.");
    for (const entry of entries(draft.base, draft.take)) {
      if (entry.collapsed !== input.collapsed)
        draft.update(spaceId(draft.take, "entry", entry.id), { collapsed: input.collapsed });
    }
    return { kind: "entries-shown", description: input.collapsed ? "Collapse all entries" : "Expand all entries" };
  });
}

export function findEntry(draft: Draft, id: unknown): { kind: "found"; entry: Entry } | Refusal {
  const entry = typeof id === "string" ? entryById(draft.state, draft.take, id) : undefined;
  if (entry) return { kind: "found", entry };
  return refuse("not-found", `There is no entry ${quoted(id)} in this take. Nothing was changed.`);
}

/** Finds the entry and checks that a user may change it now: the agent is not writing it. */
export function findEditable(draft: Draft, id: unknown): ReturnType<typeof findEntry> {
  const found = findEntry(draft, id);
  if (found.kind === "refused" || found.entry.turn_id === undefined) return found;
  if (found.entry.turn_id !== runningTurn(draft.state, draft.take)) return found;
  return refuse(
    "agent-running",
    "The agent is still writing this entry. Stop it (retake stop) or wait until it is done; nothing was changed.",
  );
}

/** The group of the current burst of typing, when a change of one field continues it. */
export function typingGroup(draft: Draft, record: string): string | undefined {
  const { typing } = draft.base;
  if (!typing || typing.record !== record || typing.actor !== actorKey(draft.actor)) return undefined;
  const since = draft.at - typing.at;
  return since >= 0 && since < TYPING_GAP ? typing.group : undefined;
}

function kindOfPatch(keys: readonly string[]): OperationKind {
  if (keys.length > 0 && keys.every((key) => key === "collapsed" || key === "read_mode")) return "entry-shown";
  if (keys.length === 1 && keys[0] === "role") return "entry-role-changed";
  return "entry-edited";
}

function describe(kind: OperationKind, entry: Entry, patch: { readonly [key: string]: Json | undefined }): string {
  const which = `"${preview(entry, 40)}"`;
  if (kind === "entry-role-changed") return `Change role of ${which} from ${entry.role} to ${String(patch["role"])}`;
  if (kind === "entry-edited") return `Edit ${entry.role} entry ${which}`;
  if (patch["collapsed"] !== undefined) return `${patch["collapsed"] ? "Collapse" : "Expand"} ${which}`;
  return `Show ${which} ${patch["read_mode"] ? "as read" : "for editing"}`;
}

function withoutNulls(patch: object): object {
  return Object.fromEntries(
    Object.entries(patch).filter(([key, value]) => value !== null || key === "content" || key === "role"),
  );
}
