import { type BytePath, parentOf, type RestorePlan, showPath } from "@retake/workspace";
import { type ConflictSides, fileSides } from "./conflict-sides.ts";

export interface FilesAnswer {
  /** The outcome for each file; a dry run gives the expected one. */
  readonly files: readonly FileOutcome[];
  readonly files_reverted: readonly string[];
  /** The reverted files that no longer exist, because the change that is taken back created them. */
  readonly files_deleted: readonly string[];
  readonly files_kept: readonly { readonly path: string; readonly reason: string }[];
  readonly conflicts: readonly AnsweredConflict[];
}

export interface FileOutcome {
  readonly path: string;
  readonly became: Became;
  /** Why it was kept, or which conflict was decided. */
  readonly reason?: string | undefined;
}

/**
 * `merged`: with the user's edits in it; `markers`: the user decides in the file; `replaced`: the user's version is in the store,
 * and comes back when this is taken back; `put-away`: the user's edits are with the take that they were made in.
 */
type Became = "restored" | "removed" | "merged" | "markers" | "replaced" | "kept" | "put-away";

/** For a record, `path` is its id in the take, and `name` its name for a person. */
export interface AnsweredConflict {
  readonly path: string;
  readonly kind: string;
  readonly name?: string | undefined;
  readonly sides?: ConflictSides | undefined;
}

/** The outcome of a plan for files; a dry run gives the expected one. */
export interface FilesOutcome {
  readonly files: RestorePlan | null;
  /** It was refused: no file was touched. */
  readonly refused?: boolean;
  readonly putAway?: ReadonlySet<BytePath>;
}

export function filesAnswer({ files, refused, putAway }: FilesOutcome): FilesAnswer {
  const actions = refused ? [] : countedActions(files?.actions ?? []);
  const conflicts = new Map((files?.conflicts ?? []).map((conflict) => [conflict.path, conflict.kind]));
  const isPutAway = (path: BytePath) => putAway?.has(path) === true && conflicts.get(path) !== "other-thread";
  const kept = (files?.kept ?? []).map(({ path, reason }) => ({ path: showPath(path), reason }));
  return {
    files: [
      ...actions.map((action) => ({
        path: showPath(action.path),
        became: isPutAway(action.path) ? ("put-away" as const) : becameOf(action),
        ...(conflicts.has(action.path) ? { reason: conflicts.get(action.path) } : {}),
      })),
      ...kept.map((each) => ({ ...each, became: "kept" as const })),
    ],
    files_reverted: actions.map(({ path }) => showPath(path)),
    files_deleted: actions.flatMap(({ path, after }) => (after === undefined ? [showPath(path)] : [])),
    files_kept: kept,
    conflicts: (files?.conflicts ?? []).map((conflict) => ({
      path: showPath(conflict.path),
      kind: conflict.kind,
      ...fileSides(conflict),
    })),
  };
}

type Action = RestorePlan["actions"][number];

const BECAME = { restored: "restored", merged: "merged", marked: "markers", overwritten: "replaced" } as const;

function becameOf({ how, after, special }: Action): Became {
  if (how === "restored" && after === undefined) return "removed";
  // A pipe, a socket or a device has no content that could come back.
  return special ? "restored" : BECAME[how];
}

/** A directory that is emptied or filled goes with the files in it, and is none of its own. */
function countedActions(actions: readonly Action[]): readonly Action[] {
  const parents = new Set<BytePath>();
  for (const { path } of actions)
    for (let at = parentOf(path); at !== "" && !parents.has(at); at = parentOf(at)) parents.add(at);
  const isDirectory = ({ before, after }: Action) =>
    [before, after].every((state) => state === undefined || state.kind === "directory");
  return actions.filter((action) => !(isDirectory(action) && parents.has(action.path)));
}
