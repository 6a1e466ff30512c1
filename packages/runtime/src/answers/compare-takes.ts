import { activeTake, type Entry, entries, equal, type Json, type State, type Take, tree } from "@retake/core";
import type { CaptureId } from "@retake/workspace";
import { entryNames } from "../names/name-things.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import { type DiffedFile, diffFiles } from "./diff-files.ts";
import { type EntryJson, entryJson } from "./entry-json.ts";
import { takeJson } from "./take-json.ts";

/** Two takes side by side (X6), as JSON. */
export interface ComparedTakes {
  readonly a: ReturnType<typeof takeJson>;
  readonly b: ReturnType<typeof takeJson>;
  /** How many entries they begin with in common. */
  readonly common: number;
  /** The entries that each has of its own after that. */
  readonly entries: { readonly a: readonly EntryJson[]; readonly b: readonly EntryJson[] };
  /** The names of those entries, by id. */
  readonly names: Readonly<Record<string, string>>;
  /** How the files go from the first to the second. */
  readonly files: readonly DiffedFile[];
}

/** The files of the active take are the files on disk, including unrecorded edits. */
export async function compareTakes(workspace: Workspace, thread: string, a: Take, b: Take): Promise<ComparedTakes> {
  const files = workspace.files(thread);
  const disk = (await files.capture()).id;
  const { trees, ...compared } = workspace.store.names(thread, (scope) => {
    const { state } = scope.history;
    const nameOf = entryNames(scope);
    const all = { a: [...entries(state, a.id)], b: [...entries(state, b.id)] };
    const common = commonLength(all.a, all.b);
    const own = [...all.a.slice(common), ...all.b.slice(common)];
    return {
      a: takeJson(state, a),
      b: takeJson(state, b),
      common,
      entries: { a: all.a.slice(common).map(entryJson), b: all.b.slice(common).map(entryJson) },
      names: Object.fromEntries(own.map(({ id }) => [id, nameOf(id)])),
      trees: [a, b].map((take) => captureIn(state, take, disk)),
    };
  });
  const [from = disk, to = disk] = trees;
  return { ...compared, files: await diffFiles(files, from, to, { hunks: true }) };
}

function captureIn(state: State, take: Take, disk: CaptureId): CaptureId {
  const known = tree(state, take.id);
  return take.id === activeTake(state) || known === "" ? disk : known;
}

/** Entries are the same when all that they hold is; where they stand follows from those before. */
function commonLength(a: readonly Entry[], b: readonly Entry[]): number {
  let length = 0;
  while (length < a.length && length < b.length && same(a[length], b[length])) length += 1;
  return length;
}

function same(a: Entry | undefined, b: Entry | undefined): boolean {
  return a !== undefined && b !== undefined && equal(entryJson(a) as Json, entryJson(b) as Json);
}
