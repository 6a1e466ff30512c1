import { describe, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { projectMessages } from "../provider/project-messages.ts";
import { MODEL } from "../provider/testing/conversation.ts";
import { PROVIDERS } from "../provider/testing/provider-rules.ts";
import { quickHash } from "../provider/testing/quick-hash.ts";
import type { State } from "../session/state.ts";
import { entries, liveTakes } from "../session/view.ts";
import { ACTIONS } from "../testing/walk-actions.ts";
import { Walker } from "../testing/walker.ts";

const step = fc.tuple(fc.constantFrom(...Object.keys(ACTIONS)), fc.nat(999), fc.nat(999));

/** Why a provider would refuse the messages made from a take's conversation. */
function refusals(state: State): string[] {
  return liveTakes(state).flatMap(({ id }) => {
    const sent = projectMessages({
      entries: [...entries(state, id)],
      system: "Be brief.",
      model: MODEL,
      hash: quickHash,
    });
    if (sent.messages.length === 0) return [];
    return PROVIDERS.flatMap(({ name, problems }) => problems(sent, MODEL).map((problem) => `${name}: ${problem}`));
  });
}

function walkAndCompare(steps: Iterable<readonly [name: string, a: number, b: number]>): void {
  const walker = new Walker();
  for (const [name, a, b] of steps) {
    ACTIONS[name]?.(walker, a, b);
    const wrong = walker.disagreement();
    if (wrong) throw new Error(`after ${name} ${a} ${b}: ${wrong}`);
    const refused = refusals(walker.world.state);
    if (refused.length > 0) throw new Error(`after ${name} ${a} ${b}: ${refused.join("; ")}`);
  }
}

/** Walks on which the history and the model once disagreed: each step with the two numbers that pick its target. */
const ONCE_WRONG: readonly (readonly [title: string, walk: string])[] = [
  [
    "[T1] a branch before a restore passes it over",
    "replace 356 660, turnAgain 186 172, restore 328 292, branch 608 968, undo 756 326",
  ],
  [
    "[T1] a branch before a restore retries the turn before it",
    "turnAgain 0 0, restore 0 0, turnAgain 0 0, branch 0 0, retry 0 0",
  ],
  [
    "[T1] undoing a jump brings no files of a turn that the branch left out",
    "turnAgain 1 2, role 0 0, jump 1 0, insert 0 0, branch 0 0, truncate 0 0, undo 1 0",
  ],
  [
    "[T1] a turn that was reverted behind the branch's files is there with them",
    "turn 0 2, revert 0 0, turnAgain 1 0, revert 0 0, undoHalf 1 0, undoHalf 1 0, branch 0 0, undo 0 0",
  ],
  [
    "[T1] [U3] a kept prompt behind the branch is no turn that it left out",
    "turn 0 0, turnAgain 0 0, undoHalf 2 0, branch 0 0, undoHalf 0 0",
  ],
  [
    "[H5] [H16] what was edited in a try that came back goes with it",
    "turnAgain 0 0, retry 0 0, revert 0 0, show 0 0, reset 0 0, undo 1 0",
  ],
  [
    "[H5] [U3] what was edited in a kept prompt stays when the turn goes that a jump made of it",
    "turnAgain 0 0, undo 0 0, jump 1 0, show 0 0, undo 0 0",
  ],
  [
    "[H2] a revert of another take is part of what a branch inherits",
    "insert 0 0, branch 0 0, turn 0 0, switch 0 0, reset 0 0, revert 0 0, deleteTake 0 0, branch 1 0, undoHalf 1 0",
  ],
  [
    "[H6] an entry of a turn that the branch left out does not come back without it",
    "thread 0 0, turnAgain 0 0, truncate 0 0, jump 3 0, replace 2 0, branch 0 0, reset 0 0, undo 1 0",
  ],
  [
    "[O4] [S6] a reset of what reads as default is none",
    "turn 0 0, undoStep 0 0, setting 4 0, reset 0 0, undoHalf 1 0",
  ],
  [
    "[R4] [H11] what reads as default before and after is no conflict",
    "addPath 0 0, insert 0 0, addRole 0 0, removeRole 4 0, jump 0 0, removeRole 0 0, clear 0 0, undoHalf 1 0",
  ],
  [
    "[H2] half of a jump to another take is taken back from there",
    "turn 0 0, branch 0 0, undoHalf 0 0, jump 0 0, undoHalf 1 0, undoStep 0 0",
  ],
  [
    "[H11] [H16] a revert that was done over stands against a retry",
    "turn 0 0, rename 0 0, revert 0 0, rename 0 1, retry 0 0",
  ],
  [
    "[H2] [S6] a reset that a branch took back for itself can still be taken back where it came from",
    "addPath 0 0, reset 0 0, insert 0 0, branch 0 0, reset 0 0, undoHalf 1 0, rename 0 0, remove 0 0, undoStep 2 0, clear 0 0, undo 1 0",
  ],
  [
    "[H2] [S6] a reset that was taken back where a branch came from can still be taken back in the branch",
    "setting 0 1, reset 0 0, insert 0 0, compress 0 0, compress 0 0, replace 0 0, undo 2 0, branch 0 0, switch 0 0, undo 0 0, switch 1 0, undoHalf 1 0",
  ],
  [
    "[R4] [H6] a jump that only made a default of a default is passed over",
    "turn 0 0, clear 0 0, reset 0 0, addRole 0 0, removeRole 4 0, jump 0 0, undoHalf 1 0",
  ],
  [
    "[R4] [H11] what a jump made a default again is what a default was",
    "turnAgain 0 0, addRole 0 0, removeRole 4 0, branch 0 0, save 0 0, save 0 0, undoStep 0 0, rename 0 0, jump 0 0, save 0 0, revert 3 0",
  ],
  [
    "[H11] [R3] other files of a take that is not on disk are in nobody's way",
    "turn 0 0, branch 1 0, jump 1 0, external 0 0, undoHalf 1 0, undoStep 0 0, redo 0 0",
  ],
  [
    "[H6] passing over the empty half of a revert leaves its turn undone",
    "turn 1 1, revert 0 0, revert 0 0, undoHalf 4 0, undoStep 2 0, undoStep 2 0",
  ],
  [
    "[H8] [H15] two redos bring a take back, and what was undone in it before",
    "insert 0 0, external 0 0, insert 0 0, insert 0 0, branch 0 0, insert 0 0, insert 0 0, external 0 0, insert 0 0, jump 585 0, undoStep 0 0, undoStep 31 0, redo 586 0",
  ],
  [
    "[H16] a branch does not retry a turn that only a later jump brought back",
    "turn 1 0, undoHalf 4 0, jump 7 0, branch 0 0, retry 0 0",
  ],
  [
    "[H14] a jump out of a take that was deleted since is not undone",
    "insert 0 0, branch 0 0, jump 0 0, deleteTake 187 0, undo 0 0",
  ],
  [
    "[S2] [H3] a jump that only puts a file of a list in its earlier place is undone",
    "addPath 0 3, revert 0 0, addPath 0 3, jump 1 0, undoStep 0 0",
  ],
];

describe("a random walk", () => {
  test("[P6] [PR1] [H1] [H3] [H4] [H5] [H6] [H8] [H12] [H15] agrees with a naive model after every step, and providers accept the conversation", () => {
    fc.assert(fc.property(fc.array(step, { minLength: 1, maxLength: 300, size: "max" }), walkAndCompare), cases(30));
  });

  test.each(ONCE_WRONG)("%s", (_, walk) => {
    const steps = walk.split(", ").map((text) => text.split(" "));
    walkAndCompare(steps.map(([name = "", a, b]) => [name, Number(a), Number(b)] as const));
  });
});
