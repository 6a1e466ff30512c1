import type { ConflictPolicy } from "@retake/core";
import { type Call, wrongUsage } from "./command.ts";

/** For everything after which other files are on disk. */
export const CONFLICT_OPTIONS = { "dry-run": { type: "boolean" }, "on-conflict": { type: "string" } } as const;
export const CONFLICT_USAGE = "[--dry-run] [--on-conflict abort|keep|merge|overwrite]";

/** The part of a body that every such action takes. */
export function conflictOptions({ options }: Call): { dry_run: boolean; on_conflict?: ConflictPolicy } {
  const policy = options["on-conflict"];
  if (policy !== undefined && !isPolicy(policy))
    throw wrongUsage(`--on-conflict takes ${POLICIES.join(", ")}, not '${String(policy)}'.`);
  return { dry_run: options["dry-run"] === true, ...(policy === undefined ? {} : { on_conflict: policy }) };
}

const POLICIES: readonly ConflictPolicy[] = ["abort", "keep", "merge", "overwrite"];

function isPolicy(value: unknown): value is ConflictPolicy {
  return (POLICIES as readonly unknown[]).includes(value);
}
