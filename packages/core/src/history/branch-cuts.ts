import type { PastSpace, RecordValue } from "../session/diff.ts";
import type { Operation } from "../session/operation.ts";
import type { History } from "./history.ts";

/**
 * What a take does not have of the history that it was branched off from.
 *
 * A branch leaves out the turns that begin behind its place, and has the files of the end of that place's turn
 * (T1). So what was done to the files between that point and the branch was never done in the new take:
 *
 *     main     turn 1 ── restore ── turn 2 ── edit
 *              └ branch at an entry of turn 1: the files are those of here
 *
 * The point is the last one at which the files were the branch's, before any of the turns that it left out began.
 * The walk goes backwards, so it has to pass those turns and then to come upon that tree.
 */
export class BranchCuts {
  readonly #history: History;
  readonly #turns = new Set<string>();
  /** Branches whose point is still to come, the one that was passed last at the end. */
  readonly #open: { readonly tree: string; readonly turns: Set<string> }[] = [];

  constructor(history: History) {
    this.#history = history;
  }

  /** Whether the operation is of a turn that the take never had. */
  hasLeftOut({ turn_id }: Operation): boolean {
    return turn_id !== undefined && this.#turns.has(turn_id);
  }

  /** Whether the walk is where the files were others than the take's. */
  get filesLeftOut(): boolean {
    return this.#open.length > 0;
  }

  /** Must see every operation before it is taken in; `tree` is what the files were right after it. */
  pass(operation: Operation, tree: string): void {
    for (let cut = this.#open.at(-1); cut && cut.turns.size === 0 && cut.tree === tree; cut = this.#open.at(-1))
      this.#open.pop();
    if (operation.kind !== "turn-started") return;
    for (const cut of this.#open) cut.turns.delete(operation.turn_id ?? "");
  }

  /** The walk goes on where a take came from; `tree` is what its files were when it began. */
  enter(origin: PastSpace, tree: string): void {
    if (origin.upto === undefined) return;
    const turns = this.#turnsBehind(origin, origin.upto);
    for (const turn of turns) this.#turns.add(turn);
    this.#open.push({ tree, turns });
  }

  #turnsBehind({ operation, take }: PastSpace, upto: string): Set<string> {
    const turns = new Set<string>();
    const space = this.#history.stateAt(operation).spaces.get(take);
    for (let index = (space?.order.size ?? 0) - 1; index >= 0; index -= 1) {
      const entry = space?.entries.get(space.order.at(index)?.[1] ?? "");
      if (String(entry?.["order"]) <= upto) break;
      const turn = String(entry?.["turn_id"]);
      if (space?.records.get(`turn:${turn}`)?.["prompt_entry"] === entry?.["id"]) turns.add(turn);
    }
    return turns;
  }
}

export function treeIn(record: RecordValue): string {
  return (record?.["tree"] ?? "") as string;
}
