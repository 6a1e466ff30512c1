import { findEditable, findEntry } from "../operations/edit-entry.ts";
import { addTake, newTakeProblem, takeNameProblem } from "../operations/take.ts";
import { type Built, build, type Context } from "../session/draft.ts";
import { type Entry, preview } from "../session/entry.ts";
import { entryProblem } from "../session/entry-input.ts";
import { groupId } from "../session/group-record.ts";
import { liveGroup } from "../session/live-groups.ts";
import type { Operation } from "../session/operation.ts";
import { spaceId, type TakeId, takeOf } from "../session/record.ts";
import { refuse } from "../session/refusal.ts";
import type { State } from "../session/state.ts";
import { entries, entriesBack, entryById, recordsOf, type Turn, takeById, tree, turn } from "../session/view.ts";
import { operationsOf, treeIn } from "./group-changes.ts";
import type { History } from "./history.ts";

/**
 * A7: makes a new take that holds everything up to and including an entry, with the files as they were when that entry
 * was the last one. The new take becomes active.
 *
 * Nothing that was done after that point is part of the new take's history:
 *
 *     main     turn 1 ── restore ── turn 2 ── edit
 *              └ a branch at the last entry of turn 1: it has the files of this point and can undo turn 1
 *
 * A branch inside a turn holds the turn up to that entry. A branch after the last turn leaves nothing out. With `content`
 * the entry has that text in the new take, and its own in the take that is left.
 */
export function branch(
  history: History,
  context: Context,
  input: { readonly entry: string; readonly take: TakeId; readonly content?: string },
): Built {
  return build(history.state, context, (draft) => {
    const { content } = input;
    const found = (content === undefined ? findEntry : findEditable)(draft, input.entry);
    if (found.kind === "refused") return found;
    const problem = content === undefined ? undefined : entryProblem({ content });
    if (problem) return refuse("invalid-input", `The entry's ${problem}. Nothing was changed.`);
    const wrong = newTakeProblem(draft, input.take);
    if (wrong) return wrong;
    const { base, take } = draft;
    const point = pointOf(history, take, found.entry);
    const source = { operation: base.head ?? "", take, upto: found.entry.order };
    draft.graft(input.take, point ? { ...source, until: point.until } : source, base);
    if (point && point.tree !== tree(base, take)) draft.put(spaceId(input.take, "workspace"), { tree: point.tree });
    if (point?.inside) {
      const group = groupId(input.take, point.inside.version);
      // A jump may have brought the turn back. Its own group is then not in force: undo takes back the jump instead.
      if (draft.get(group)) draft.update(group, { until: point.until });
      draft.update(spaceId(input.take, "turn", point.inside.id), { tree_after: point.tree });
    }
    if (content !== undefined) draft.update(spaceId(input.take, "entry", found.entry.id), { content });
    draft.remove(spaceId(input.take, "agent"));
    const name = addTake(draft, input.take, takeById(base, take)?.name ?? "");
    const changed = content === undefined ? "" : ", with another text";
    const description = `Branch ${name} at "${preview(found.entry, 40)}"${changed}`;
    return { kind: "take-branched", scope: "thread", description };
  });
}

/**
 * L12: makes a new take that continues from the past state `past`. The new take becomes active. Without a `name` it
 * gets the next free one.
 */
export function branchFrom(
  state: State,
  context: Context,
  input: { readonly past: State; readonly from: TakeId; readonly take: TakeId; readonly name?: string },
): Built {
  return build(state, context, (draft) => {
    const { take, name } = input;
    const wrong =
      newTakeProblem(draft, take) ?? (name === undefined ? undefined : takeNameProblem(draft, { take, name }));
    if (wrong) return wrong;
    if (typeof input.past?.spaces?.has !== "function" || typeof input.from !== "string") {
      return refuse("invalid-input", "A past state and one of its takes must be named. Nothing was changed.");
    }
    if (!input.past.spaces.has(input.from) || input.past.head === null) {
      return refuse("not-found", "That take did not exist at that point. Nothing was changed.");
    }
    draft.graft(input.take, { operation: input.past.head, take: input.from }, input.past);
    draft.remove(spaceId(input.take, "agent"));
    const called = addTake(draft, take, takeById(input.past, input.from)?.name ?? "", name);
    return { kind: "take-branched", scope: "thread", description: `Branch ${called} from a past state` };
  });
}

/** The last version that a branch holds, and the files at that version. */
interface BranchPoint {
  readonly until: number;
  readonly tree: string;
  /** Set when the point lies inside a turn: that turn. */
  readonly inside?: Turn;
}

/** Finds where the history of a branch ends; undefined when the branch holds all of it. */
function pointOf(history: History, take: TakeId, entry: Entry): BranchPoint | undefined {
  const { state } = history;
  // Without this check a take without turns would have all its entries searched.
  if (recordsOf(state, take, "turn").next().done) return undefined;
  const own = turnAt(state, take, entry);
  const next = turnAfter(state, take, entry);
  if (own && next?.id === own.id) return insideOf(history, take, own, entry);
  if (!next) return undefined;
  if (!own) return { until: next.version - 1, tree: next.tree_before ?? "" };
  const last = operationsIn(history, take, own).at(-1);
  return { until: last?.version ?? own.version, tree: own.tree_after ?? next.tree_before ?? "" };
}

/** The turn that wrote an entry, or else the last turn before it. */
export function turnAt(state: State, take: TakeId, entry: Entry): Turn | undefined {
  const own = turn(state, take, entry.turn_id ?? "");
  if (own) return own;
  for (const { turn_id = "" } of entriesBack(state, take, entry)) {
    const found = turn(state, take, turn_id);
    if (found) return found;
  }
  return undefined;
}

/** The first turn after an entry, or without an entry the first turn of the take. */
export function turnAfter(state: State, take: TakeId, entry?: Entry): Turn | undefined {
  for (const { id, turn_id = "" } of entries(state, take, entry)) {
    const found = id === entry?.id ? undefined : turn(state, take, turn_id);
    if (found) return found;
  }
  return undefined;
}

/** Finds the last operation of the turn that wrote an entry of the branch. The branch gets the files of that moment. */
function insideOf(history: History, take: TakeId, inside: Turn, entry: Entry): BranchPoint {
  let until = inside.version;
  let found = inside.tree_before ?? "";
  let now = found;
  const { state } = history;
  for (const { diff, version, take: made } of operationsIn(history, take, inside)) {
    let isShared = false;
    for (const change of diff.changes) {
      const local = takeOf(change.id) === made ? change.id.slice(made.length + 1) : "";
      if (local === "workspace") now = treeIn(change);
      const written = local.startsWith("entry:") ? entryById(state, take, local.slice("entry:".length)) : undefined;
      isShared ||= written !== undefined && written.order <= entry.order;
    }
    if (isShared) [until, found] = [version, now];
  }
  return { until, tree: found, inside };
}

/** The operations of a turn, as far as the take holds the turn. */
export function operationsIn(history: History, take: TakeId, { version, group }: Turn): readonly Operation[] {
  const live = liveGroup(history.state, take, { id: group, version });
  return live ? operationsOf(history, live.record) : history.group(group);
}
