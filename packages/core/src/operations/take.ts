import { type Built, build, type Context, type Draft } from "../session/draft.ts";
import { preview } from "../session/entry.ts";
import { ACTIVE, spaceId, type TakeId, threadId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { orderIndex, type State } from "../session/state.ts";
import {
  activeTake,
  baseName,
  entryAt,
  entryById,
  liveTakes,
  type Take,
  takeById,
  takes,
  tree,
  turn,
} from "../session/view.ts";
import { idProblem, nameProblem, quoted } from "../values/text.ts";
import { findEntry } from "./edit-entry.ts";
import { whileRunning } from "./whole-conversation.ts";

/** Takes: lines of a thread's history, each with a conversation, settings and files of its own. */

/** A7: a new take with everything up to and including an entry, and the files as they were then; it becomes active. */
export function branch(
  state: State,
  context: Context,
  input: { readonly entry: string; readonly take: TakeId },
): Built {
  return build(state, context, (draft) => {
    const found = findEntry(draft, input.entry);
    if (found.kind === "refused") return found;
    const wrong = newTakeProblem(draft, input.take);
    if (wrong) return wrong;
    const source = { operation: draft.base.head ?? "", take: draft.take, upto: found.entry.order };
    draft.graft(input.take, source, draft.base);
    const at = treeAt(draft.base, draft.take, found.entry.id);
    if (at !== tree(draft.base, draft.take)) draft.put(spaceId(input.take, "workspace"), { tree: at });
    draft.remove(spaceId(input.take, "agent"));
    const name = addTake(draft, input.take, takeById(draft.base, draft.take)?.name ?? "");
    return { kind: "take-branched", scope: "thread", description: `Branch ${name} at "${preview(found.entry, 40)}"` };
  });
}

/** L12: a new take that goes on from a past state, which `past` is; it becomes active. */
export function branchFrom(
  state: State,
  context: Context,
  input: { readonly past: State; readonly from: TakeId; readonly take: TakeId },
): Built {
  return build(state, context, (draft) => {
    const wrong = newTakeProblem(draft, input.take);
    if (wrong) return wrong;
    if (typeof input.past?.spaces?.has !== "function" || typeof input.from !== "string") {
      return refuse("invalid-input", "A past state and one of its takes must be named. Nothing was changed.");
    }
    if (!input.past.spaces.has(input.from) || input.past.head === null) {
      return refuse("not-found", "That take did not exist at that point. Nothing was changed.");
    }
    draft.graft(input.take, { operation: input.past.head, take: input.from }, input.past);
    draft.remove(spaceId(input.take, "agent"));
    const name = addTake(draft, input.take, takeById(input.past, input.from)?.name ?? "");
    return { kind: "take-branched", scope: "thread", description: `Branch ${name} from a past state` };
  });
}

/** B6: makes another take active. */
export function switchTake(state: State, context: Context, input: { readonly take: TakeId }): Built {
  return build(state, context, (draft) => {
    const running = whileRunning(draft);
    if (running) return running;
    const take = findTake(draft, input.take);
    if (take.kind === "refused") return take;
    if (input.take === activeTake(draft.base)) return refuse("nothing-to-do", `${take.take.name} is active already.`);
    draft.put(ACTIVE, { take: input.take });
    return { kind: "take-switched", scope: "thread", description: `Switch to ${take.take.name}` };
  });
}

/** B7, D5: a name that another take has is refused. */
export function renameTake(
  state: State,
  context: Context,
  input: { readonly take: TakeId; readonly name: string },
): Built {
  return build(state, context, (draft) => {
    const take = rename(draft, input);
    if (take.kind === "refused") return take;
    return { kind: "take-renamed", scope: "thread", description: `Rename ${take.take.name} to ${input.name}` };
  });
}

/** B8: gives a take a name at the top level, out of its group. */
export function promoteTake(
  state: State,
  context: Context,
  input: { readonly take: TakeId; readonly name: string },
): Built {
  return build(state, context, (draft) => {
    const take = rename(draft, input);
    if (take.kind === "refused") return take;
    if (baseName(input.name) !== input.name)
      return refuse(
        "invalid-input",
        `${input.name} is the name of a take within a group, not one at the top level. Nothing was changed.`,
      );
    return { kind: "take-promoted", scope: "thread", description: `Promote ${take.take.name} to ${input.name}` };
  });
}

/** B7, D5: never the last one; when the active one goes, the first by name becomes active. Its records stay. */
export function deleteTake(state: State, context: Context, input: { readonly take: TakeId }): Built {
  return build(state, context, (draft) => {
    const take = findTake(draft, input.take);
    if (take.kind === "refused") return take;
    const running = draft.get(spaceId(input.take, "agent"))?.["turn_id"];
    if (typeof running === "string")
      return refuse(
        "agent-running",
        `The agent is working in ${take.take.name}. Interrupt it first; nothing was changed.`,
      );
    const others = liveTakes(draft.base).filter((each) => each.id !== input.take);
    const first = others.sort((a, b) => (a.name < b.name ? -1 : 1))[0];
    if (!first)
      return refuse("last-take", `${take.take.name} is the only take left and cannot be deleted. Nothing was changed.`);
    draft.update(threadId("take", input.take), { deleted: true });
    if (activeTake(draft.base) === input.take) draft.put(ACTIVE, { take: first.id });
    return { kind: "take-deleted", scope: "thread", description: `Delete ${take.take.name}` };
  });
}

/** The first name `<base>_take_<n>` that no take has or had. */
export function freeTakeName(state: State, name: string): string {
  const base = baseName(name);
  const used = new Set(takes(state).map((take) => take.name));
  for (let number = 1; ; number += 1) {
    const candidate = `${base}_take_${number}`;
    if (!used.has(candidate)) return candidate;
  }
}

/** Puts the record of a new take, whose space is there, and makes it active. */
export function addTake(draft: Draft, take: TakeId, source: string): string {
  const name = freeTakeName(draft.state, source);
  draft.put(threadId("take", take), { id: take, name, deleted: false });
  draft.put(ACTIVE, { take });
  return name;
}

/**
 * The tree at the end of the turn that an entry is of or stands behind; before the first turn, the tree it began with.
 * Behind the last turn the files are as they are: what the user made of them since goes along.
 */
function treeAt(state: State, take: TakeId, entryId: string): string {
  const order = state.spaces.get(take)?.order;
  const entry = entryById(state, take, entryId);
  if (!order || !entry) return tree(state, take);
  const at = order.rank(orderIndex(entry));
  const own = nearestTurn(state, take, at, -1, order.size);
  const next = nearestTurn(state, take, at, 1, order.size, own?.id);
  return (next && (own?.tree_after ?? next.tree_before)) ?? tree(state, take);
}

/** The turn of the nearest entry from `at` on, backwards or forwards, that is of an ended turn other than `but`. */
function nearestTurn(state: State, take: TakeId, at: number, way: 1 | -1, size: number, but?: string) {
  for (let index = at; index >= 0 && index < size; index += way) {
    const id = entryAt(state, take, index)?.turn_id;
    const found = id === undefined || id === but ? undefined : turn(state, take, id);
    if (found && (way === 1 || found.tree_after !== undefined)) return found;
  }
  return undefined;
}

function rename(
  draft: Draft,
  input: { readonly take: TakeId; readonly name: string },
): { kind: "found"; take: Take } | Refusal {
  const take = findTake(draft, input.take);
  if (take.kind === "refused") return take;
  const problem = nameProblem(input.name);
  if (problem) return refuse("invalid-input", `The name ${problem}. Nothing was changed.`);
  if (liveTakes(draft.base).some((each) => each.name === input.name && each.id !== input.take)) {
    return refuse("already-exists", `There is a take ${input.name} already. Nothing was changed.`);
  }
  draft.update(threadId("take", input.take), { name: input.name });
  return take;
}

function findTake(draft: Draft, id: unknown): { kind: "found"; take: Take } | Refusal {
  const take = typeof id === "string" ? takeById(draft.base, id) : undefined;
  if (take && !take.deleted) return { kind: "found", take };
  return refuse("not-found", `There is no take ${quoted(id)}. Nothing was changed.`);
}

function newTakeProblem(draft: Draft, id: unknown): Refusal | undefined {
  const problem = idProblem(id);
  if (problem) return refuse("invalid-input", `The new take's id ${problem}.`);
  if (draft.base.spaces.has(id as string))
    return refuse("already-exists", `There is a take with the id ${id} already.`);
  return undefined;
}
