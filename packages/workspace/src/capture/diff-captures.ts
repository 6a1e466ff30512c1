import type { Database } from "../database/database.ts";
import type { BytePath, CaptureId, Change, FileState } from "../model/model.ts";
import { showPath } from "../model/path-bytes.ts";
import { byBytes } from "./capture-tree.ts";
import { changesBetween } from "./changes-between.ts";

export interface FileDiff {
  /** `uncovered`: on one side the path was on disk but left out, so the change is not known. */
  readonly status: "added" | "removed" | "modified" | "mode" | "type" | "renamed" | "uncovered";
  readonly path: BytePath;
  readonly oldPath?: BytePath;
  readonly before?: FileState;
  readonly after?: FileState;
}

/** The changes between two captures, for people. A file that moved with its content is shown as renamed. */
export function diffCaptures(database: Database, from: CaptureId, to: CaptureId): FileDiff[] {
  return withRenames(changesBetween(database, from, to).flatMap((change) => describe(change) ?? []));
}

/** Which part of a diff is wanted; all of it unless something is said. */
export interface DiffQuery {
  /** A file, or a directory with all that is in it. A renamed file is found by both its paths. */
  readonly path?: BytePath | undefined;
  /** Only the files after this one, by its path as text. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

export interface DiffPart {
  readonly files: readonly FileDiff[];
  /** How many files differ below `path`. */
  readonly total: number;
  readonly hasMore: boolean;
}

/** Undefined when no file is called as `after` says. */
export function partOf(all: readonly FileDiff[], { path, after, limit = Infinity }: DiffQuery): DiffPart | undefined {
  const wanted = path === undefined ? all : all.filter((each) => isIn(each, path));
  const from = after === undefined ? 0 : wanted.findIndex((each) => showPath(each.path) === after) + 1;
  if (after !== undefined && from === 0) return undefined;
  const files = wanted.slice(from, from + limit);
  return { files, total: wanted.length, hasMore: from + files.length < wanted.length };
}

function isIn({ path, oldPath }: FileDiff, wanted: BytePath): boolean {
  return [path, oldPath].some((each) => each === wanted || each?.startsWith(`${wanted}/`));
}

/** Undefined for a file that only became ignored or is no longer ignored. */
function describe({ path, before, after }: Change): FileDiff | undefined {
  if (before?.kind === "uncovered" || after?.kind === "uncovered") {
    const captured = before?.kind === "uncovered" ? after : before;
    if (captured === undefined || captured.kind === "uncovered") return undefined;
    return { status: "uncovered", path };
  }
  if (!before) return after && { status: "added", path, after };
  if (!after) return { status: "removed", path, before };
  const sides = { path, before, after };
  if (before.kind !== after.kind) return { status: "type", ...sides };
  if (before.kind !== "directory" && after.kind !== "directory" && before.hash !== after.hash) {
    return { status: "modified", ...sides };
  }
  if (before.kind !== "link" && after.kind !== "link" && before.mode !== after.mode)
    return { status: "mode", ...sides };
  return undefined;
}

function withRenames(diffs: readonly FileDiff[]): FileDiff[] {
  const gone = new Map<string, FileDiff[]>();
  for (const diff of diffs) {
    const key = diff.status === "removed" ? contentKey(diff.before) : undefined;
    if (key) gone.set(key, [...(gone.get(key) ?? []), diff]);
  }
  if (gone.size === 0) return [...diffs];
  const taken = new Set<FileDiff>();
  const result = diffs.map((diff): FileDiff => {
    const key = diff.status === "added" ? contentKey(diff.after) : undefined;
    const candidates = key ? (gone.get(key) ?? []).filter((each) => !taken.has(each)) : [];
    const name = diff.path.slice(diff.path.lastIndexOf("/") + 1);
    const from = candidates.find(({ path }) => path === name || path.endsWith(`/${name}`)) ?? candidates[0];
    if (!from?.before || !diff.after) return diff;
    taken.add(from);
    return { status: "renamed", path: diff.path, oldPath: from.path, before: from.before, after: diff.after };
  });
  return result.filter((diff) => !taken.has(diff)).sort((a, b) => byBytes(a.path, b.path));
}

/** All empty files have the same content, which says nothing about renames. */
function contentKey(state: FileState | undefined): string | undefined {
  if (!state || state.kind === "directory" || state.size === 0) return undefined;
  return `${state.kind} ${state.hash}`;
}
