import { sayChanged } from "../commands/way-back.ts";
import { client } from "../data/connection.ts";
import { type PlanRequest, startPlan } from "../data/plan.ts";
import type { DiffSource } from "./diff-source.ts";

export interface ChosenHunk {
  readonly path: string;
  readonly edits: readonly number[];
}

/** Called with the operation when something was taken back. */
type OnDone = (operation: string) => void;

/**
 * The parts of a source that can be taken back: files of everything but the user's own edits; hunks of turns and calls, whose
 * changes have numbers.
 */
export function canTakeBack({ kind }: DiffSource): { readonly files: boolean; readonly hunks: boolean } {
  return { files: kind !== "working", hunks: kind === "turn" || kind === "call" || kind === "range" };
}

/** Takes back turns, or files of them; of a snapshot, brings files back as it has them. */
export function takeBackFiles(
  thread: string,
  source: DiffSource,
  turns: readonly [first: string, last: string] | undefined,
  onDone: OnDone,
  paths?: readonly string[],
): void {
  const some = paths === undefined ? {} : { paths: [...paths] };
  const what = paths === undefined ? "" : paths.length === 1 ? ` in ${paths[0]}` : ` in ${paths.length} files`;
  if (source.kind === "snapshot") {
    const title = paths === undefined ? "Restore the snapshot" : `Restore${what.replace(" in", "")}`;
    plan(thread, onDone, {
      title,
      call: (options) => client.restoreSnapshot(source.snapshot, { ...some, ...options } as never),
    });
    return;
  }
  const named = revertedOf(source, turns);
  if (named === undefined) return;
  plan(thread, onDone, {
    title: `Take back ${nameOf(source, turns)}${what}`,
    call: (options) => client.revert(thread, { ...named, ...some, ...options } as never),
    takesBack: true,
  });
}

/** Takes back hunks of turns or a call and keeps everything else of them. */
export function takeBackHunks(
  thread: string,
  source: DiffSource,
  turns: readonly [first: string, last: string] | undefined,
  onDone: OnDone,
  hunks: readonly ChosenHunk[],
): void {
  const named = revertedOf(source, turns);
  if (named === undefined || !canTakeBack(source).hunks) return;
  const files = new Map<string, number[]>();
  for (const { path, edits } of hunks) files.set(path, [...(files.get(path) ?? []), ...edits]);
  const chosen = [...files].map(([path, edits]) => ({ path, edits: [...edits].sort((a, b) => a - b) }));
  const count = hunks.length === 1 ? "1 hunk" : `${hunks.length} hunks`;
  plan(thread, onDone, {
    title: `Take back ${count} of ${nameOf(source, turns)}`,
    call: (options) => client.revert(thread, { ...named, hunks: chosen, ...options } as never),
    takesBack: true,
  });
}

/** Takes back what took something back. */
export function bringBack(thread: string, operation: string): void {
  plan(thread, () => {}, {
    title: "Bring back",
    call: (options) => client.revert(thread, { op: operation, ...options } as never),
  });
}

function plan(thread: string, onDone: OnDone, request: PlanRequest): void {
  void startPlan({
    ...request,
    done: (answer) => {
      sayChanged(thread, answer, request.title);
      if (answer.op_id) onDone(answer.op_id);
    },
  });
}

/** The call or the turns of a source, as the route takes them. */
function revertedOf(source: DiffSource, turns: readonly [string, string] | undefined): object | undefined {
  if (source.kind === "call") return { call: source.call };
  if (turns === undefined) return undefined;
  const [turn, until] = turns;
  return turn === until ? { turn } : { turn, until };
}

function nameOf(source: DiffSource, turns: readonly [string, string] | undefined): string {
  if (source.kind === "call") return source.call;
  const [turn, until] = turns ?? ["", ""];
  return turn === until ? turn : `${turn} to ${until}`;
}
