import { keyOf, kindOf, localId, type RecordId } from "../session/record.ts";

/** A record whose field was changed later by another operation (H11). */
export interface Conflict {
  readonly record: RecordId;
  readonly kind: "entry-edited";
  readonly message: string;
}

export type ConflictPolicy = "abort" | "keep" | "merge" | "overwrite";

/** How conflicts are decided: by a policy for all of them, and for some records by a choice of their own. */
export interface ConflictChoice {
  readonly policy: ConflictPolicy;
  /** By the id of a record in its take (`localId`). */
  readonly resolutions?: ReadonlyMap<string, Resolution> | undefined;
}

export type Resolution = Exclude<ConflictPolicy, "abort">;

export function policyFor({ policy, resolutions }: ConflictChoice, record: RecordId): ConflictPolicy {
  return resolutions?.get(localId(record)) ?? policy;
}

/** The conflicts that keep a plan from being completed. */
export function unresolved(plan: ConflictChoice & { readonly conflicts: readonly Conflict[] }): readonly Conflict[] {
  return plan.conflicts.filter(({ record }) => policyFor(plan, record) === "abort");
}

export function conflict(record: RecordId, field: string): Conflict {
  const what = field === "" ? "" : ` in its ${field}`;
  return { record, kind: "entry-edited", message: `${kindOf(record)} ${keyOf(record)} was changed${what} since` };
}
