import { freeTakeName } from "../operations/take.ts";
import { type Built, build, type Context, type Draft } from "../session/draft.ts";
import type { Operation, OperationId } from "../session/operation.ts";
import { keyOf, kindOf, type RecordId, spaceId, type TakeId, takeOf, threadId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { recordOf, type State } from "../session/state.ts";
import { liveTakes, takeById } from "../session/view.ts";
import { labelled, list } from "../values/check.ts";
import { equal, type JsonObject } from "../values/json.ts";
import { idProblem } from "../values/text.ts";
import { type History, line, MissingOperationError } from "./history.ts";

/**
 * Two machines have changed one thread, and their lines meet again. Nothing is merged silently: a
 * take that only one side changed is what that side made it; a take that both changed stays what it
 * is on the main line, and the other side's becomes a take beside it (L7).
 */
export type Relation =
  | { readonly kind: "same" }
  /** The other line is a part of ours. */
  | { readonly kind: "behind" }
  /** Ours is a part of the other: it need only be taken over. */
  | { readonly kind: "ahead" }
  | { readonly kind: "diverged"; readonly common: OperationId }
  /** They have no operation in common: they are not of one thread. */
  | { readonly kind: "unrelated" };

export interface MergeResult {
  readonly built: Built;
  /** Takes that were made because both sides had changed the same one. */
  readonly siblings: readonly { readonly take: TakeId; readonly of: TakeId; readonly name: string }[];
  /** Facts of the thread that both sides changed: the main line's stand. */
  readonly conflicts: readonly {
    readonly record: RecordId;
    readonly field: string;
    readonly theirs: JsonObject[string];
  }[];
}

/** How two heads of one thread stand to each other. */
export function relate(history: Pick<History, "operation">, ours: OperationId, theirs: OperationId): Relation {
  if (ours === theirs) return { kind: "same" };
  const common = commonAncestor(history, ours, theirs);
  if (common === theirs) return { kind: "behind" };
  if (common === ours) return { kind: "ahead" };
  return common === undefined ? { kind: "unrelated" } : { kind: "diverged", common };
}

/** Merges the line that ends in `theirs` into the main line, which `history` stands at. */
export function mergeHeads(
  history: History,
  context: Context,
  input: { readonly theirs: OperationId; readonly new_takes: readonly TakeId[] },
): MergeResult | Refusal {
  const head = history.state.head;
  const relation = head === null || !history.operation(input.theirs) ? undefined : relate(history, head, input.theirs);
  if (relation?.kind !== "diverged" || head === null)
    return refuse("nothing-to-do", "The two lines have not diverged; there is nothing to merge.");
  const problem = labelled("The list of new takes", list(idProblem)(input.new_takes));
  if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
  const common = history.stateAt(relation.common);
  const theirs = history.stateAt(input.theirs);
  const ourTouched = touched(history, head, relation.common);
  const theirTouched = touched(history, input.theirs, relation.common);
  const siblings: MergeResult["siblings"][number][] = [];
  const conflicts: MergeResult["conflicts"][number][] = [];
  const newTakes = [...input.new_takes];
  const built = build(history.state, context, (draft) => {
    draft.version = Math.max(history.state.version, theirs.version) + 1;
    for (const id of theirTouched.records) {
      // A take that the other side dropped and this one worked in stays.
      const worked = kindOf(id) === "take" && ourTouched.takes.has(keyOf(id)) && recordOf(theirs, id) === undefined;
      if (!worked) conflicts.push(...mergeRecord(draft, id, common, theirs));
    }
    for (const take of theirTouched.takes) {
      if (!theirs.spaces.has(take)) {
        if (!ourTouched.takes.has(take) && draft.state.spaces.has(take)) draft.drop(take);
        continue;
      }
      const source = { operation: input.theirs, take };
      if (!ourTouched.takes.has(take)) {
        draft.graft(take, source, theirs);
        continue;
      }
      const sibling = newTakes.shift();
      if (sibling === undefined)
        return refuse("invalid-input", "The merge needs more ids for new takes than it was given.");
      const name = freeTakeName(draft.state, takeById(theirs, take)?.name ?? "");
      draft.graft(sibling, source, theirs);
      draft.put(threadId("take", sibling), { id: sibling, name, deleted: false, since: draft.version });
      siblings.push({ take: sibling, of: take, name });
    }
    tidyTakes(draft);
    return {
      kind: "heads-merged",
      scope: "thread",
      description:
        siblings.length === 0
          ? "Merge changes from another machine"
          : `Keep changes from another machine as ${siblings.map((each) => each.name).join(", ")}`,
      merges: { head: input.theirs, version: theirs.version },
      evenIfEmpty: true,
    };
  });
  return { built, siblings, conflicts };
}

/** What the other side changed is taken over field by field, unless the main line changed it too. */
function mergeRecord(draft: Draft, id: RecordId, common: State, theirs: State): MergeResult["conflicts"][number][] {
  const conflicts: MergeResult["conflicts"][number][] = [];
  const base = recordOf(common, id);
  const other = recordOf(theirs, id);
  const ours = draft.get(id);
  if (equal(ours, base)) {
    if (other === undefined) draft.remove(id);
    else draft.put(id, other);
    return conflicts;
  }
  if (other === undefined || ours === undefined) return conflicts;
  for (const field of new Set([...Object.keys(base ?? {}), ...Object.keys(other)])) {
    if (equal(other[field], base?.[field]) || equal(other[field], ours[field])) continue;
    if (equal(ours[field], base?.[field])) draft.update(id, { [field]: other[field] });
    else conflicts.push({ record: id, field, theirs: other[field] ?? null });
  }
  return conflicts;
}

/** Names stay unique, a take without content has no record, and at least one take is live. */
function tidyTakes(draft: Draft): void {
  const names = new Set<string>();
  for (const take of liveTakes(draft.state)) {
    if (!draft.state.spaces.has(take.id)) {
      draft.remove(threadId("take", take.id));
      continue;
    }
    if (names.has(take.name)) draft.update(threadId("take", take.id), { name: freeTakeName(draft.state, take.name) });
    names.add(take.name);
    // A turn that runs on the other machine does not run here.
    if (draft.get(spaceId(take.id, "agent")) && !draft.base.spaces.has(take.id))
      draft.remove(spaceId(take.id, "agent"));
  }
}

function touched(
  history: History,
  head: OperationId,
  common: OperationId,
): { takes: Set<TakeId>; records: Set<RecordId> } {
  const takes = new Set<TakeId>();
  const records = new Set<RecordId>();
  for (const operation of line(history, head, common)) {
    for (const each of operation.diff.spaces ?? []) takes.add(each.take);
    for (const { id } of operation.diff.changes) {
      const take = takeOf(id);
      if (take !== undefined) takes.add(take);
      else records.add(id);
    }
  }
  return { takes, records };
}

/** The latest operation that both heads follow. Versions only grow, so the higher one is always the one to leave. */
function commonAncestor(history: Pick<History, "operation">, a: OperationId, b: OperationId): OperationId | undefined {
  const sides = new Map<OperationId, number>([
    [a, 1],
    [b, 2],
  ]);
  const open = new Set<OperationId>([a, b]);
  while (open.size > 0) {
    let highest: Operation | undefined;
    for (const id of open) {
      const operation = history.operation(id);
      if (!operation) throw new MissingOperationError(id);
      if (!highest || operation.version > highest.version) highest = operation;
    }
    if (!highest) return undefined;
    if (sides.get(highest.id) === 3) return highest.id;
    open.delete(highest.id);
    for (const parent of highest.parents) {
      sides.set(parent, (sides.get(parent) ?? 0) | (sides.get(highest.id) ?? 0));
      open.add(parent);
    }
  }
  return undefined;
}
