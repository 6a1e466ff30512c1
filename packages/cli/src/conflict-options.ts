import type { ConflictPolicy } from "@retake/core";
import { type Call, type Options, textOption, textOptions, wrongUsage } from "./command.ts";
import { workspacePath } from "./workspace-path.ts";

/** The options of all commands that change files on disk. */
export const CONFLICT_OPTIONS = {
  "dry-run": { type: "boolean", about: "say what would be done, and change nothing" },
  "on-conflict": {
    type: "string",
    choices: ["abort", "keep", "merge", "overwrite"],
    about:
      "for files that you changed since: change nothing (abort, unless given), keep yours, merge both, or overwrite yours",
  },
  resolve: {
    type: "string",
    multiple: true,
    value: "file=mine|theirs|merged",
    about: "decide one conflict, also of an entry (#7.2=mine); may be given several times",
  },
} as const satisfies Options;

/** The part of a body that every such action takes. */
export interface ConflictBody {
  readonly dry_run: boolean;
  readonly on_conflict: ConflictPolicy | undefined;
  readonly resolutions: { readonly path: string; readonly use: Use }[];
}

type Use = (typeof USES)[number];

const USES = ["mine", "theirs", "merged"] as const;

export function conflictOptions(call: Call): ConflictBody {
  return {
    dry_run: call.options["dry-run"] === true,
    on_conflict: textOption(call, "on-conflict") as ConflictPolicy | undefined,
    resolutions: textOptions(call, "resolve").map((each) => resolutionOf(call, each)),
  };
}

/** `src/a.ts=mine`, or `#7.2=theirs` for an entry. */
function resolutionOf(call: Call, given: string): { path: string; use: Use } {
  const [, path = "", named] = /^(.+)=([^=]*)$/s.exec(given) ?? [];
  const use = USES.find((each) => each === named);
  if (use === undefined)
    throw wrongUsage(`--resolve takes a path and ${USES.join(", ")}, like src/a.ts=mine, not '${given}'.`);
  return { path: path.startsWith("#") ? path : workspacePath(call, path), use };
}
