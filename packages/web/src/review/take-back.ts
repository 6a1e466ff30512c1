import { client } from "../data/connection.ts";
import { startPlan } from "../data/plan.ts";
import type { DiffSource } from "./diff-source.ts";

export interface ChosenHunk {
  readonly path: string;
  readonly edits: readonly number[];
}

/** The parts of a source that can be taken back: files of everything but the user's own edits; hunks of one turn or call. */
export function canTakeBack(source: DiffSource): { readonly files: boolean; readonly hunks: boolean } {
  return { files: source.kind !== "working", hunks: source.kind === "turn" || source.kind === "call" };
}

/** Takes back turns, or files of them; of a snapshot, brings files back as it has them. */
export function takeBackFiles(
  thread: string,
  source: DiffSource,
  turns: readonly [first: string, last: string] | undefined,
  paths?: readonly string[],
): void {
  const some = paths === undefined ? {} : { paths: [...paths] };
  const what = paths === undefined ? "" : paths.length === 1 ? ` in ${paths[0]}` : ` in ${paths.length} files`;
  if (source.kind === "snapshot")
    return void startPlan({
      title: paths === undefined ? "Restore the snapshot" : `Restore${what.replace(" in", "")}`,
      call: (options) => client.restoreSnapshot(source.snapshot, { ...some, ...options } as never),
    });
  if (source.kind === "call")
    return void startPlan({
      title: `Take back ${source.call}${what}`,
      call: (options) => client.revert(thread, { call: source.call, ...some, ...options } as never),
    });
  if (turns === undefined) return;
  const [turn, until] = turns;
  const name = turn === until ? turn : `${turn} to ${until}`;
  const named = turn === until ? { turn } : { turn, until };
  void startPlan({
    title: `Take back ${name}${what}`,
    call: (options) => client.revert(thread, { ...named, ...some, ...options } as never),
  });
}

/** Takes back hunks of a turn or a call and keeps everything else of it. */
export function takeBackHunks(thread: string, source: DiffSource, hunks: readonly ChosenHunk[]): void {
  if (source.kind !== "turn" && source.kind !== "call") return;
  const of = source.kind === "turn" ? { turn: source.turn } : { call: source.call };
  const files = new Map<string, number[]>();
  for (const { path, edits } of hunks) files.set(path, [...(files.get(path) ?? []), ...edits]);
  const chosen = [...files].map(([path, edits]) => ({ path, edits: [...edits].sort((a, b) => a - b) }));
  const count = hunks.length === 1 ? "1 hunk" : `${hunks.length} hunks`;
  void startPlan({
    title: `Take back ${count} of ${source.kind === "turn" ? source.turn : source.call}`,
    call: (options) => client.revert(thread, { ...of, hunks: chosen, ...options } as never),
  });
}
