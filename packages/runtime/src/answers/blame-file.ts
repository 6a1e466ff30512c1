/**
 * Which turn wrote each line of a file.
 *
 * The versions of the file are walked from the newest to the oldest. A line that a step added belongs to that step; every
 * other line is looked for in the version before it, where it has another number. Turns follow each other with gaps between
 * them, in which the user or another thread wrote.
 *
 *     first files ─ gap ─ turn #1 ─ gap ─ turn #2 ─ gap ─ now
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { recordAs, recordsBack, type State, tree, turnName } from "@retake/core";
import {
  type BytePath,
  type CaptureId,
  type FileState,
  type Hunk,
  textHunks,
  type WorkspaceFiles,
} from "@retake/workspace";

/** Lines that one step wrote. */
export interface BlamedLines {
  /** The number of the first line, from 1. */
  readonly start: number;
  readonly lines: number;
  /** `between`: the user or another thread. `before`: older than the thread, or than the versions that are text. */
  readonly by: "turn" | "between" | "before";
  readonly turn_id?: string;
  readonly turn_name?: string;
}

type Writer = Pick<BlamedLines, "by" | "turn_id" | "turn_name">;

/** A step between two versions; `before` is undefined where the file was not there. */
interface Step {
  readonly before: Buffer | undefined;
  readonly after: Buffer;
  readonly writer: Writer;
}

const BETWEEN: Writer = { by: "between" };
const BEFORE: Writer = { by: "before" };

/** The file whose lines are asked about. `content` is its newest version, and `state` the thread at that moment. */
interface Blamed {
  readonly state: State;
  readonly take: string;
  readonly path: BytePath;
  readonly content: Buffer;
}

/** Undefined where the content is not text. */
export async function blameFile(files: WorkspaceFiles, file: Blamed): Promise<BlamedLines[] | undefined> {
  if (!textHunks(Buffer.alloc(0), file.content)) return undefined;
  const writers = Array.from({ length: lineCount(file.content) }, () => BEFORE);
  let lines: readonly TracedLine[] = writers.map((_, line) => ({ line, place: line }));
  let begun = performance.now();
  for (const step of stepsBack(files, file)) {
    if (step) {
      const hunks = step.before && textHunks(step.before, step.after);
      const { added, older } = hunks ? traceBack(hunks, lines) : { added: lines, older: [] };
      for (const { line } of added) writers[line] = step.writer;
      if (older.length === 0) break;
      lines = older;
    }
    if (performance.now() - begun < YIELD_MS) continue;
    await nextTurn();
    begun = performance.now();
  }
  return runsOf(writers);
}

const YIELD_MS = 10;

/** A line whose writer is not known yet. */
export interface TracedLine {
  /** Its number in the file, from 0. */
  readonly line: number;
  /** Its number in the version that is looked at. */
  readonly place: number;
}

/**
 * Separates the lines that the hunks added from those that were there before, with their places there. Lines and hunks are
 * both in the order of the file, so one walk over them is enough.
 */
export function traceBack(
  hunks: readonly Hunk[],
  lines: readonly TracedLine[],
): { readonly added: readonly TracedLine[]; readonly older: readonly TracedLine[] } {
  const [added, older]: [TracedLine[], TracedLine[]] = [[], []];
  const rest = hunks.values();
  let { value: hunk } = rest.next();
  let shift = 0;
  for (const { line, place } of lines) {
    while (hunk && hunk.after.start + hunk.after.lines.length <= place) {
      shift += hunk.before.lines.length - hunk.after.lines.length;
      hunk = rest.next().value;
    }
    if (hunk && hunk.after.start <= place) added.push({ line, place });
    else older.push({ line, place: place + shift });
  }
  return { added, older };
}

/** The steps that changed the file, newest first; undefined for a step that did not. */
function* stepsBack(files: WorkspaceFiles, { state, take, path, content }: Blamed): IterableIterator<Step | undefined> {
  let [newer, version]: [CaptureId, Buffer | undefined] = [tree(state, take), content];
  const read = (found: FileState | undefined) =>
    found && found.kind !== "directory" ? files.objects.read(found.hash, path) : undefined;
  const left = newer === "" ? undefined : read(files.files(newer).get(path));
  if (newer !== "" && !left?.equals(content)) {
    yield { before: left, after: content, writer: BETWEEN };
    version = left;
  }
  const to = (older: CaptureId, writer: Writer): Step | undefined => {
    const change = older === newer ? undefined : files.changes(older, newer).find((each) => each.path === path);
    newer = older;
    const after = version;
    if (!change || !after) return undefined;
    version = change.before?.kind === "uncovered" ? undefined : read(change.before);
    return { before: version, after, writer };
  };
  for (const [, record] of recordsBack(state, take, "turn")) {
    const { id, number, tree_before, tree_after } = recordAs("turn", record);
    if (tree_after !== undefined) yield to(tree_after, BETWEEN);
    if (tree_before !== undefined) yield to(tree_before, { by: "turn", turn_id: id, turn_name: turnName(number) });
  }
}

function runsOf(writers: readonly Writer[]): BlamedLines[] {
  const runs: (Writer & { start: number; lines: number })[] = [];
  for (const [line, writer] of writers.entries()) {
    const last = runs.at(-1);
    if (last && last.by === writer.by && last.turn_id === writer.turn_id) last.lines += 1;
    else runs.push({ start: line + 1, lines: 1, ...writer });
  }
  return runs;
}

function lineCount(content: Buffer): number {
  if (content.length === 0) return 0;
  let lines = 0;
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) lines += 1;
  return content.at(-1) === 10 ? lines : lines + 1;
}
