import { type ConflictPolicy, localId, type Plan } from "@retake/core";
import { bytePath, type Resolution, type RestoreRequest } from "@retake/workspace";

/** The caller's decisions about conflicts, and the plan that the caller has seen. */
export interface ConflictOptions {
  readonly onConflict?: ConflictPolicy;
  /** Overrides the policy for single conflicts, by the path that the conflict reports. */
  readonly resolutions?: ReadonlyMap<string, Resolution>;
  /** Conflicts include the contents of their sides. */
  readonly detail?: boolean;
  /** Carries out exactly the plan of this id, or nothing. */
  readonly planId?: string;
}

/** The choices about conflicts of files, without those of records. */
export function filesChoice(
  { onConflict = "abort", resolutions, detail }: ConflictOptions,
  conflicts: Plan["conflicts"],
): Pick<RestoreRequest, "detail" | "onConflict" | "resolutions"> {
  const records = new Set(conflicts.map(({ record }) => localId(record)));
  const ofFiles = [...(resolutions ?? [])].filter(([path]) => !records.has(path));
  return {
    onConflict,
    resolutions: new Map(ofFiles.map(([path, resolution]) => [bytePath(path), resolution])),
    ...(detail ? { detail } : {}),
  };
}
