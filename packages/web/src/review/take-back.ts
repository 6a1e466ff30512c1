import { client } from "../data/connection.ts";
import { startPlan } from "../data/plan.ts";
import type { DiffSource } from "./diff-source.ts";

export interface ChosenHunk {
  readonly path: string;
  readonly edits: readonly number[];
}

/** Whether changes of a source can be taken back one by one: those of a turn, and those since a snapshot by file. */
export function canTakeBack(source: DiffSource): { readonly files: boolean; readonly hunks: boolean } {
  return { files: source.kind === "turn" || source.kind === "snapshot", hunks: source.kind === "turn" };
}

/** Takes back a turn, or files of it; of a snapshot, brings files back as it has them. */
export function takeBackFiles(thread: string, source: DiffSource, paths?: readonly string[]): void {
  const some = paths === undefined ? {} : { paths: [...paths] };
  const what = paths === undefined ? "" : paths.length === 1 ? ` in ${paths[0]}` : ` in ${paths.length} files`;
  if (source.kind === "snapshot")
    void startPlan({
      title: paths === undefined ? "Restore the snapshot" : `Restore${what.replace(" in", "")}`,
      call: (options) => client.restoreSnapshot(source.snapshot, { ...some, ...options } as never),
    });
  if (source.kind === "turn")
    void startPlan({
      title: `Take back ${source.turn}${what}`,
      call: (options) => client.revert(thread, { turn: source.turn, ...some, ...options } as never),
    });
}

/** Takes back hunks of a turn and keeps everything else of it. */
export function takeBackHunks(thread: string, turn: string, hunks: readonly ChosenHunk[]): void {
  const files = new Map<string, number[]>();
  for (const { path, edits } of hunks) files.set(path, [...(files.get(path) ?? []), ...edits]);
  const chosen = [...files].map(([path, edits]) => ({ path, edits: [...edits].sort((a, b) => a - b) }));
  const count = hunks.length === 1 ? "1 hunk" : `${hunks.length} hunks`;
  void startPlan({
    title: `Take back ${count} of ${turn}`,
    call: (options) => client.revert(thread, { turn, hunks: chosen, ...options } as never),
  });
}
