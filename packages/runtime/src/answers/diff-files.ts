import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type BytePath,
  bytePath,
  type CaptureId,
  type FileDiff,
  type FileState,
  type ObjectReader,
  showPath,
  textHunks,
  type WorkspaceFiles,
} from "@retake/workspace";
import { readableLines, type UnifiedHunk, unifiedHunks } from "./unified-hunks.ts";

/** A file that differs, as JSON. */
export interface DiffedFile {
  readonly path: string;
  readonly status: FileDiff["status"];
  readonly old_path?: string;
  /** Names the two contents. */
  readonly change: string;
  /** Lines; both are 0 where nothing can be said of lines. */
  readonly additions: number;
  readonly deletions: number;
  /** Not text, or too large to be compared line by line. */
  readonly binary?: true;
  /** As git writes modes; absent on a side that has no file. */
  readonly old_mode?: string;
  readonly new_mode?: string;
  readonly hunks?: readonly UnifiedHunk[];
}

/** The differences between two captures, with the lines unless only their number is wanted. */
export async function diffFiles(
  workspace: WorkspaceFiles,
  from: CaptureId,
  to: CaptureId,
  options: { readonly hunks: boolean },
): Promise<DiffedFile[]> {
  const found = await workspace.diff(from, to);
  return found.map((diff) => diffedFile(diff, workspace.objects, options.hunks));
}

export interface DiffPage {
  readonly files: readonly DiffedFile[];
  /** How many differ in all. */
  readonly total: number;
  readonly cursor?: string;
}

/** The same in pages: only of a page's files the lines are compared, and others are answered meanwhile. */
export async function diffPage(
  workspace: WorkspaceFiles,
  [from, to]: readonly [CaptureId, CaptureId],
  query: {
    readonly path?: string | undefined;
    readonly hunks: boolean;
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
  },
): Promise<DiffPage | undefined> {
  const { hunks, limit, cursor: after } = query;
  const path = query.path === undefined ? undefined : bytePath(query.path);
  const part = await workspace.diffPart(from, to, { path, after, limit });
  if (!part) return undefined;
  const files: DiffedFile[] = [];
  let begun = performance.now();
  for (const each of part.files) {
    files.push(diffedFile(each, workspace.objects, hunks));
    if (performance.now() - begun < YIELD_MS) continue;
    await nextTurn();
    begun = performance.now();
  }
  const last = part.hasMore ? files.at(-1) : undefined;
  return { files, total: part.total, ...(last ? { cursor: last.path } : {}) };
}

const YIELD_MS = 10;

function diffedFile(diff: FileDiff, objects: ObjectReader, hunks: boolean): DiffedFile {
  const { path, oldPath, status, before, after } = diff;
  const [old_mode, new_mode] = [gitMode(before), gitMode(after)];
  return {
    path: showPath(path),
    status,
    ...(oldPath === undefined ? {} : { old_path: showPath(oldPath) }),
    change: `${contentName(before)}-${contentName(after)}`,
    ...linesOf(diff, objects, hunks),
    ...(old_mode === undefined ? {} : { old_mode }),
    ...(new_mode === undefined ? {} : { new_mode }),
  };
}

function linesOf(
  { path, oldPath, status, before, after }: FileDiff,
  objects: ObjectReader,
  wanted: boolean,
): Pick<DiffedFile, "additions" | "deletions" | "binary" | "hunks"> {
  const none = { additions: 0, deletions: 0 };
  if (status === "renamed" || status === "mode" || status === "uncovered") return none;
  const old = contentOf(before, oldPath ?? path, objects);
  const found = textHunks(old, contentOf(after, path, objects));
  if (!found) return { ...none, binary: true };
  const counted = {
    additions: found.reduce((sum, hunk) => sum + hunk.after.lines.length, 0),
    deletions: found.reduce((sum, hunk) => sum + hunk.before.lines.length, 0),
  };
  return wanted ? { ...counted, hunks: unifiedHunks(readableLines(old), found) } : counted;
}

function contentOf(state: FileState | undefined, path: BytePath, objects: ObjectReader): Buffer {
  return state === undefined || state.kind === "directory" ? Buffer.alloc(0) : objects.read(state.hash, path);
}

/** Long enough to tell the versions of one file apart. */
function contentName(state: FileState | undefined): string {
  return state === undefined || state.kind === "directory" ? "" : state.hash.slice(0, 16);
}

function gitMode(state: FileState | undefined): string | undefined {
  if (state === undefined || state.kind === "directory") return undefined;
  if (state.kind === "link") return "120000";
  return state.mode & 0o100 ? "100755" : "100644";
}
