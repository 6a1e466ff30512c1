import type { Json } from "@retake/core";
import { type Conflict, isUncovered, showPath } from "@retake/workspace";
import type { RecordSides } from "../undo/foresee.ts";
import { filePart } from "./file-content.ts";
import { type UnifiedHunk, unifiedTexts } from "./unified-hunks.ts";

/**
 * Null for a missing file or record. `base` is the state after the change that is taken back, `theirs` the state before
 * it.
 */
export interface ConflictSides {
  readonly base: ConflictSide | null;
  readonly mine: ConflictSide | null;
  readonly theirs: ConflictSide | null;
  /** Both with markers, where that can be written. */
  readonly merged: ConflictSide | null;
  /** How `mine` would become `theirs`, of texts. */
  readonly hunks?: readonly UnifiedHunk[] | undefined;
}

/** `unknown`: it was not captured. A large file is cut after its beginning. */
export interface ConflictSide {
  readonly kind: "file" | "link" | "directory" | "unknown" | "record";
  readonly size?: number | undefined;
  readonly executable?: boolean | undefined;
  /** Of the whole content. */
  readonly hash?: string | undefined;
  readonly more?: boolean | undefined;
  readonly encoding?: "utf8" | "base64" | undefined;
  readonly content?: string | undefined;
}

const MOST_BYTES = 256 * 1024;

/** Nothing where the contents were not asked for. */
export function fileSides({ path, left, disk, target, marked, contents }: Conflict): {
  readonly sides?: ConflictSides;
} {
  if (!contents) return {};
  const side = (state: Conflict["left"]): ConflictSide | null => {
    if (state === undefined) return null;
    if (isUncovered(state)) return { kind: "unknown" };
    if (state.kind === "directory") return { kind: "directory" };
    const executable = state.kind === "file" && (state.mode & 0o100) !== 0;
    const bytes = contents.get(state.hash) ?? Buffer.alloc(0);
    const {
      path: _,
      offset: __,
      ...told
    } = filePart({ path: showPath(path), limit: MOST_BYTES }, { kind: state.kind, executable, bytes });
    return { ...told, hash: state.hash };
  };
  const sides = { base: side(left), mine: side(disk), theirs: side(target), merged: side(marked) };
  const [mine, theirs] = [disk, target].map((state) => (state?.kind === "file" ? contents.get(state.hash) : undefined));
  const hunks = mine && theirs && unifiedTexts(mine, theirs);
  return { sides: { ...sides, ...(hunks ? { hunks } : {}) } };
}

export function recordSides({ mine, theirs }: RecordSides): ConflictSides {
  return { base: null, mine: recordSide(mine), theirs: recordSide(theirs), merged: null };
}

/** Shows the content of an entry, and the fields of any other record. */
function recordSide(value: Json | undefined): ConflictSide | null {
  if (value === undefined) return null;
  const content = (value as { readonly content?: Json } | null)?.content;
  return { kind: "record", content: typeof content === "string" ? content : JSON.stringify(value) };
}
