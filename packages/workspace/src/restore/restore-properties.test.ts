import { lstatSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import type { CaptureTree } from "../capture/capture-tree.ts";
import { sameState } from "./file-state.ts";
import { deeds, work } from "./testing/random-work.ts";
import { listing, Sandbox } from "./testing/sandbox.ts";

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = new Sandbox();
});
afterAll(() => sandbox.dispose());

function startOver(): void {
  rmSync(sandbox.root, { recursive: true });
  mkdirSync(sandbox.root);
}

/** For each path that two trees have in common, which file it is and when it was last written. */
function untouchedFiles(one: CaptureTree, two: CaptureTree): Map<string, string> {
  const same = [...one.entries()].filter(
    ([path, state]) => state.kind !== "directory" && sameState(state, two.get(path)),
  );
  return new Map(
    same.map(([path]) => {
      const { ino, mtimeMs, ctimeMs } = lstatSync(sandbox.path(path));
      return [path, `${ino} ${mtimeMs} ${ctimeMs}`];
    }),
  );
}

test("[X2] restores any captured tree exactly, and touches no other file", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deeds(8), { minLength: 2, maxLength: 4 }), fc.nat(3), async (turns, back) => {
      startOver();
      const trees = [sandbox.capture()];
      for (const [index, turn] of turns.entries()) {
        work(sandbox, `turn ${index}`, turn);
        trees.push(sandbox.capture());
      }
      const target = trees[trees.length - 1 - (back % trees.length)] as CaptureTree;
      const current = trees.at(-1) as CaptureTree;
      const untouched = untouchedFiles(target, current);
      const foreseen = sandbox.dryRun({ transitions: [{ before: target, after: current }] });
      const result = await sandbox.restore({ transitions: [{ before: target, after: current }] });
      expect(result.kind).toBe("restored");
      expect(result.plan.changes).toEqual(foreseen.changes);
      expect(untouchedFiles(target, current)).toEqual(untouched);
      expect(listing(sandbox.capture())).toEqual(listing(target));
      // And forward again, by undoing that restore.
      await sandbox.restore({ transitions: [{ changes: result.plan.changes }] });
      expect(listing(sandbox.capture())).toEqual(listing(current));
    }),
    cases(60, 3000),
  );
});

test("[U4] [X1] whatever is undone, the user's later changes survive, and a dry run reports all of it", async () => {
  const scene = fc.record({
    start: deeds(10),
    turns: fc.array(fc.record({ agent: deeds(5), user: deeds(2) }), { minLength: 1, maxLength: 3 }),
    undone: fc.nat(6),
    policy: fc.constantFrom("abort" as const, "keep" as const, "merge" as const),
  });
  await fc.assert(
    fc.asyncProperty(scene, async ({ start, turns, undone, policy }) => {
      startOver();
      work(sandbox, "start", start);
      const transitions = turns.map(({ agent, user }, index) => {
        const before = sandbox.capture();
        work(sandbox, `agent ${index}`, agent);
        const transition = { before, after: sandbox.capture() };
        work(sandbox, `user ${index}`, user);
        return transition;
      });
      // Any of the turns: the last, the one in the middle, the first and the last …
      const chosen = transitions.filter((_, index) => ((undone + 1) >> index) & 1).reverse();
      const current = sandbox.capture();
      const userLines = linesOfUser(current);
      const foreseen = sandbox.dryRun({ transitions: chosen, onConflict: policy });
      const result = await sandbox.restore({ transitions: chosen, onConflict: policy });
      const { changes, kept, conflicts, outcome } = result.plan;
      expect({ changes, kept, conflicts, outcome }).toEqual({
        changes: foreseen.changes,
        kept: foreseen.kept,
        conflicts: foreseen.conflicts,
        outcome: foreseen.outcome,
      });

      // Every line of the user is still there, or in another file that the agent had renamed.
      const now = sandbox.capture();
      const left = linesOfUser(now);
      for (const line of userLines) expect(left).toContain(line);
      // The disk is what the plan said: its changes, and nothing else.
      const expected = new Map(current.entries());
      for (const { path, after } of changes) {
        if (after && after.kind !== "uncovered") expected.set(path, after);
        else expected.delete(path);
      }
      expect(listing(now)).toEqual(Object.fromEntries(expected));
      if (outcome === "refused") expect(conflicts.length).toBeGreaterThan(0);
      if (result.kind !== "restored") return;
      expect(result).toMatchObject({ displaced: [], blocked: [] });
      // Undo of the undo.
      await sandbox.restore({ transitions: [{ changes }] });
      expect(listing(sandbox.capture())).toEqual(listing(current));
    }),
    cases(120, 5000),
  );
});

function linesOfUser(tree: CaptureTree): Set<string> {
  const files = [...tree.entries()].filter(([, state]) => state.kind === "file");
  const lines = files.flatMap(([path]) => readFileSync(sandbox.path(path), "latin1").split("\n"));
  return new Set(lines.filter((line) => line.startsWith("user ")));
}
