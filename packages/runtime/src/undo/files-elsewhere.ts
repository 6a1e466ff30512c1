/**
 * The files of takes that are not on disk. To core the files of a take are one record (R3): where they were changed
 * since, all of them are in the way. Here they are trees that can be looked into: what was not changed since goes
 * back, and only a file that was changed since is a conflict.
 */
import { type FilesPlan, type History, type Plan, type RecordId, spaceId, tree } from "@retake/core";
import type { Database } from "../store/open-database.ts";
import { deriveCapture } from "../workspace/capture/derive-capture.ts";
import type { BytePath, Change } from "../workspace/model.ts";
import { parentOf } from "../workspace/path-bytes.ts";
import { composeTransitions, type Transition } from "../workspace/restore/transitions.ts";
import { captureOf, type ThreadFiles, treeName } from "./thread-files.ts";

/** What becomes of the files of a take elsewhere: changes of the tree that they are now. */
export interface FilesElsewhere {
  readonly record: RecordId;
  readonly now: string;
  readonly changes: readonly Change[];
}

/** The plan without the conflicts that are none, and what becomes of the files that they were about. */
export function settleElsewhere<Wanted extends FilesPlan | Plan>(
  plan: Wanted,
  files: ThreadFiles,
): { readonly plan: Wanted; readonly elsewhere: readonly FilesElsewhere[] } {
  if (plan.kind !== "plan") return { plan, elsewhere: [] };
  const elsewhere: FilesElsewhere[] = [];
  // What goes to disk is merged there.
  const arriving = spaceId(plan.active.after, "workspace");
  for (const record of new Set(plan.conflicts.map((each) => each.record))) {
    const back = plan.conflicts.flatMap((each) => (each.record === record && each.files ? [each.files] : []));
    const [newest] = back;
    if (!newest || record === arriving) continue;
    const since = files.changes(newest.after, newest.now);
    const transitions = back.map(({ before, after }) => files.transition(before, after));
    if (!overlap(transitions, since))
      elsewhere.push({ record, now: newest.now, changes: changesElsewhere(transitions, since) });
  }
  const settled = new Set(elsewhere.map(({ record }) => record));
  return { plan: { ...plan, conflicts: plan.conflicts.filter(({ record }) => !settled.has(record)) }, elsewhere };
}

export function treesElsewhere(database: Database, elsewhere: readonly FilesElsewhere[]): Map<RecordId, string> {
  const made = ({ now, changes }: FilesElsewhere) => treeName(deriveCapture(database, captureOf(now), changes));
  return new Map(elsewhere.map((each) => [each.record, made(each)]));
}

/** The tree of the take that a plan leaves, which is not on disk any more. */
export function treeLeft(database: Database, files: ThreadFiles, { state }: History, plan: Plan): { tree?: string } {
  const [newest] = plan.files;
  if (!newest) return {};
  const now = tree(state, plan.take);
  const transitions = plan.files.map(({ before, after }) => files.transition(before, after));
  const changes = changesElsewhere(transitions, files.changes(newest.after, now));
  return { tree: treeName(deriveCapture(database, captureOf(now), changes)) };
}

/** What taking transitions back, newest first, makes of files that are not on disk. What was edited since stays. */
function changesElsewhere(transitions: readonly Transition[], since: readonly Change[]): Change[] {
  const edited = new Set(since.map(({ path }) => path));
  const changes: Change[] = [];
  for (const [path, known] of composeTransitions(transitions, () => true)) {
    const [step, ...more] = known.kind === "steps" ? known.steps : [];
    if (!step || more.length > 0 || edited.has(path)) continue;
    const { left, target } = step;
    changes.push({ path, ...(left && { before: left }), ...(target && { after: target }) });
  }
  return changes;
}

/** Whether a path that goes back, or a directory that it is in, was changed since, or something in it. */
function overlap(transitions: readonly Transition[], since: readonly Change[]): boolean {
  const edited = withParents(since.map(({ path }) => path));
  const steps = composeTransitions(transitions, () => true);
  const taken = withParents(steps.keys());
  return (
    [...steps].some(([path, known]) => edited.has(path) || (known.kind === "steps" && known.steps.length > 1)) ||
    since.some(({ path }) => taken.has(path))
  );
}

function withParents(paths: Iterable<BytePath>): Set<BytePath> {
  const all = new Set<BytePath>();
  for (const path of paths) for (let at = path; at !== "" && !all.has(at); at = parentOf(at)) all.add(at);
  return all;
}
