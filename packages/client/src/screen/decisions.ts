/**
 * The user's decisions about the conflicts of a plan. Each one is kept with the conflict that was on the screen: it does not
 * hold for a conflict with other sides, because a file that changed since would be overwritten unseen.
 */
import type { TakenBack } from "./plan-lines.ts";

export type Conflict = NonNullable<TakenBack["conflicts"]>[number];
/** The present content, the one to come, both with markers, or another content. */
export type Use = "mine" | "theirs" | "merged" | { readonly content: string };

/** By the path of the conflict. */
export type Decisions = ReadonlyMap<string, { readonly use: Use; readonly conflict: Conflict }>;

export const NO_DECISIONS: Decisions = new Map();

/** Decides the same for some conflicts. */
export function decide(decisions: Decisions, conflicts: readonly Conflict[], use: Use): Decisions {
  return new Map([...decisions, ...conflicts.map((conflict) => [conflict.path, { use, conflict }] as const)]);
}

/**
 * The decisions that hold in a newer plan, and the conflicts that have other sides than the decided ones. A decision about a
 * conflict that the plan does not have, because its scope leaves files out, waits.
 */
export function holdDecisions(
  decisions: Decisions,
  { conflicts = [] }: TakenBack,
): { readonly decisions: Decisions; readonly changed: readonly Conflict[] } {
  const changed = conflicts.filter((conflict) => {
    const decision = decisions.get(conflict.path);
    return decision !== undefined && !isSameConflict(decision.conflict, conflict);
  });
  if (changed.length === 0) return { decisions, changed };
  const paths = new Set(changed.map(({ path }) => path));
  return { decisions: new Map([...decisions].filter(([path]) => !paths.has(path))), changed };
}

export function isSameConflict(one: Conflict, other: Conflict): boolean {
  const facts = ({ path, kind, sides }: Conflict) => JSON.stringify([path, kind, sides]);
  return facts(one) === facts(other);
}

/** The decisions about the conflicts of a plan, as its route takes them. */
export function resolutionsOf(
  { conflicts = [] }: TakenBack,
  decisions: Decisions,
): { readonly path: string; readonly use: Use }[] {
  return conflicts.flatMap(({ path }) => {
    const use = decisions.get(path)?.use;
    return use === undefined ? [] : [{ path, use }];
  });
}
