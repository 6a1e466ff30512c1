import { addTake } from "../operations/take.ts";
import type { RecordValue, SpaceChange } from "../session/diff.ts";
import { type Built, build, type Context, type Draft } from "../session/draft.ts";
import { preview } from "../session/entry.ts";
import { kindFor } from "../session/kinds.ts";
import type { Operation, OperationId } from "../session/operation.ts";
import { type RecordId, spaceId, type TakeId, takeOf, threadId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { recordOf, type State } from "../session/state.ts";
import { activeId, activeTake, runningTurn, takeById, tree } from "../session/view.ts";
import { quoted } from "../values/text.ts";
import { type History, line } from "./history.ts";
import { refuseRunning } from "./undo-plan.ts";

/**
 * S1: a jump can go to any operation, also to one in a future that was undone. The take in which the operation was made
 * becomes what it was right after the operation, and becomes active. Other takes stay as they are. A take that no
 * longer exists comes back as a new one.
 */
export interface JumpPlan {
  readonly kind: "jump";
  readonly operation: OperationId;
  readonly version: number;
  /** The take that will be active. */
  readonly take: TakeId;
  /** The take whose past state it gets. */
  readonly from: TakeId;
  /** The records after the jump; null when the take no longer exists. */
  readonly records: ReadonlyMap<RecordId, RecordValue> | null;
  /** The tree on disk now, and the tree to write there. */
  readonly files: { readonly before: string; readonly after: string };
  readonly description: string;
}

export function planJump(
  history: History,
  request: {
    readonly operation: OperationId;
    readonly new_take: TakeId;
    /** The take to jump in, when it is not the one that the operation led to. */
    readonly take?: TakeId;
  },
): JumpPlan | Refusal {
  const { state } = history;
  const target = typeof request.operation === "string" ? history.operation(request.operation) : undefined;
  if (!target) return refuse("not-found", `There is no operation ${quoted(request.operation)}. Nothing was changed.`);
  const active = activeTake(state);
  const past = history.stateAt(target.id);
  const of = request.take !== undefined && past.spaces.has(request.take) ? request.take : takeAfter(target, past);
  if ([active, of].some((take) => runningTurn(state, take) !== undefined)) return refuseRunning("changed");
  const records = state.spaces.has(of) ? recordsAt(history, of, target.id, past) : null;
  return {
    kind: "jump",
    operation: target.id,
    version: state.version,
    take: records ? of : request.new_take,
    from: of,
    records,
    files: { before: tree(state, active), after: tree(past, of) },
    description: `Jump to: ${descriptionOf(target, past)}`,
  };
}

/** A turn is named by its prompt; its last operation only says that it ended. */
function descriptionOf({ kind, take, turn_id, description }: Operation, past: State): string {
  const turn = kind === "turn-finished" && turn_id ? recordOf(past, spaceId(take, "turn", turn_id)) : undefined;
  return typeof turn?.["prompt"] === "string" ? `Turn: ${preview({ content: turn["prompt"] })}` : description;
}

export function completeJump(
  history: History,
  context: Context,
  plan: JumpPlan,
  outcome: { readonly tree?: string } = {},
): Built {
  return build(history.state, { ...context, expected_version: plan.version }, (draft) => {
    if (plan.records) returnTo(draft, plan, plan.records);
    else {
      const past = history.stateAt(plan.operation);
      if (draft.state.spaces.has(plan.take))
        return refuse("already-exists", `There is a take with the id ${plan.take} already.`);
      draft.graft(plan.take, { operation: plan.operation, take: plan.from }, past);
      addTake(draft, plan.take, takeById(past, plan.from)?.name ?? "");
      draft.remove(spaceId(plan.take, "agent"));
    }
    draft.put(spaceId(plan.take, "workspace"), { tree: outcome.tree ?? plan.files.after });
    const other = plan.take !== activeTake(draft.base);
    return { kind: "jumped", description: plan.description, ...(other ? { scope: "thread" } : {}) };
  });
}

/** The take that an operation led to: a branch or a switch is made in one take and leads to another one. */
function takeAfter(operation: Operation, past: State): TakeId {
  return operation.scope === "take" && past.spaces.has(operation.take) ? operation.take : activeTake(past);
}

function returnTo(draft: Draft, plan: JumpPlan, records: ReadonlyMap<RecordId, RecordValue>): void {
  for (const [id, value] of records) {
    if (value === undefined) draft.remove(id);
    else draft.put(id, value);
  }
  if (takeById(draft.state, plan.take)?.deleted) draft.update(threadId("take", plan.take), { deleted: false });
  draft.put(activeId(draft.state), { take: plan.take });
}

/** The records of a take as they were right after an operation; null when its line does not lead there. */
function recordsAt(
  history: History,
  take: TakeId,
  operation: OperationId,
  past: State,
): Map<RecordId, RecordValue> | null {
  const records = new Map<RecordId, RecordValue>();
  if (!past.spaces.has(take)) return null;
  for (const { diff } of line(history, history.state.head, operation)) {
    if (diff.spaces?.some((change) => change.take === take && !isSame(change))) return null;
    for (const { id } of diff.changes) if (takeOf(id) === take && kindFor(id).jump) records.set(id, recordOf(past, id));
  }
  return records;
}

/** A take that was removed, or restored as it was when it was removed, keeps its history. */
function isSame({ take, before, after }: SpaceChange): boolean {
  if (after === null) return true;
  return before === null && after !== "empty" && after.take === take && after.upto === undefined;
}
