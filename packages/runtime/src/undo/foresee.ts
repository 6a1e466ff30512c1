/**
 * The description of a plan before it is carried out: a name for it, the entries that go or come, and both sides of
 * each record that is in conflict.
 *
 * The name is a hash of all that the plan follows from and that can change: the head of the thread, the request, and
 * the states on disk of its paths. A caller that names it later gets exactly that plan, or a refusal. The choice
 * between the sides of a conflict is no part of it, because it is made after the plan was seen.
 */
import { createHash } from "node:crypto";
import {
  activeTake,
  apply,
  type Built,
  type Entry,
  type FilesPlan,
  type History,
  type Json,
  type JumpPlan,
  kindOf,
  type Operation,
  type Plan,
  type RecordId,
  type Refusal,
  recordAs,
  recordOf,
  refuse,
  type State,
  takeOf,
} from "@retake/core";
import type { RestorePlan } from "@retake/workspace";

export type AnyPlan = FilesPlan | JumpPlan | Plan;

/** Whether another take is active after a plan. */
export function leavesTake(plan: AnyPlan, state: State): boolean {
  if (plan.kind === "plan") return plan.active.before !== plan.active.after;
  return plan.kind === "jump" && plan.take !== activeTake(state);
}

export interface Foreseen {
  readonly plan_id: string;
  readonly entries: readonly ForeseenEntry[];
  readonly records: readonly RecordSides[];
}

export interface ForeseenEntry {
  readonly entry: Entry;
  readonly becomes: "removed" | "returned" | "changed";
}

/** A record in conflict: its present state, and its state before the change that is taken back. */
export interface RecordSides {
  readonly record: RecordId;
  readonly mine: Json | undefined;
  readonly theirs: Json | undefined;
}

/** `asked` is the request, as values that are the same for the same request. */
export function planId(head: string | null, asked: unknown, files: RestorePlan | null): string {
  const content = JSON.stringify([head, asked, [...(files?.seen ?? [])]]);
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}

export function askedOf(plan: AnyPlan): unknown {
  switch (plan.kind) {
    case "jump":
      return [plan.kind, plan.operation, plan.from];
    case "restore":
      return [plan.kind, plan.snapshot, plan.take];
    case "plan":
      return [
        plan.operation,
        plan.take,
        plan.active,
        plan.prompt,
        plan.groups.map(({ group, take, scope, result }) => [group.record.id, take, scope, result]),
      ];
  }
}

export const STALE_PLAN: Refusal = refuse(
  "stale-plan",
  "What would be done is not what that plan says any more: the thread or a file was changed since. Nothing was changed. Ask for the plan again.",
);

/**
 * `complete` makes the operation of a plan, as it would be without the files; `rehearsed` is the operation of a plan that
 * can be carried out.
 */
export function foreseeEntries(
  history: History,
  plan: AnyPlan,
  complete: (plan: AnyPlan) => Built,
  rehearsed?: Operation,
): Pick<Foreseen, "entries" | "records"> {
  const after = (of: AnyPlan): State | undefined => {
    const built = complete(of);
    return built.kind === "refused" ? undefined : apply(history.state, built.operation, (id) => history.stateAt(id));
  };
  const conflicts = plan.kind === "plan" ? plan.conflicts : [];
  // An undecided conflict leaves its record as it is.
  const decided = plan.kind === "plan" && plan.policy === "abort" ? { ...plan, policy: "keep" as const } : plan;
  const before =
    conflicts.length === 0 ? undefined : after({ ...(plan as Plan), policy: "overwrite", resolutions: undefined });
  return {
    entries: changedEntries(history, rehearsed ? { kind: "operation", operation: rehearsed } : complete(decided)),
    records: conflicts.map(({ record }) => ({
      record,
      mine: recordOf(history.state, record),
      theirs: before && recordOf(before, record),
    })),
  };
}

function changedEntries({ state }: History, built: Built): ForeseenEntry[] {
  if (built.kind === "refused") return [];
  const take = activeTake(state);
  const found: ForeseenEntry[] = [];
  for (const change of built.operation.diff.changes) {
    if (kindOf(change.id) !== "entry" || takeOf(change.id) !== take) continue;
    const value = change.kind === "create" ? change.after : recordOf(state, change.id);
    if (value) found.push({ entry: recordAs("entry", value), becomes: BECOMES[change.kind] });
  }
  return found;
}

const BECOMES = { create: "returned", remove: "removed", update: "changed" } as const;
