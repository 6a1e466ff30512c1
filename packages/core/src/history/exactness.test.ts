import { describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { ACTIONS } from "../testing/walk-actions.ts";
import { Walker } from "../testing/walker.ts";
import { visibleText, type World } from "../testing/world.ts";

/** All actions but these make one group that a step takes back: these are notes, or they move along the history. */
const MOVES = ["external", "undo", "undoStep", "undoHalf", "redo"];
const STEPS = Object.keys(ACTIONS).filter((name) => !MOVES.includes(name));
const WHOLES = ["turn", "clear", "truncate", "compress", "replace", "restore", "reset", "revert", "jump"];

const any = fc.tuple(fc.constantFrom(...Object.keys(ACTIONS)), fc.nat(999), fc.nat(999));
const reachable = fc.array(any, { maxLength: 40, size: "max" });

describe("from any reachable state", () => {
  test("[H3] [H8] a step after any operation restores the exact state, and redo the one after it", () => {
    const last = fc.tuple(fc.constantFrom(...STEPS), fc.nat(999), fc.nat(999));
    fc.assert(
      fc.property(reachable, last, (steps, [name, a, b]) => takenBack(steps, name, a, b, true)),
      cases(120),
    );
  });

  test("[H4] [S6] [X2] undo after a turn or a whole restores the exact state, except for the draft", () => {
    const last = fc.tuple(fc.constantFrom(...WHOLES), fc.nat(999), fc.nat(999));
    fc.assert(
      fc.property(reachable, last, (steps, [name, a, b]) => takenBack(steps, name, a, b, false)),
      cases(80),
    );
  });

  test("[H8] [U8] undoing everything and redoing everything gives the same state", () => {
    fc.assert(
      fc.property(reachable, (steps) => {
        const { world } = walked(steps);
        const before = visibleText(world.state);
        const operations = world.log.length;
        for (let undone = true; undone; ) undone = "diff" in world.undo({ steps: true });
        for (let redone = world.log.length - operations; redone > 0; redone -= 1)
          expect(world.redo()).toHaveProperty("diff");
        expect(visibleText(world.state)).toBe(before);
      }),
      cases(30),
    );
  });

  test("[H9] [U8] reverting an undo equals redoing it", () => {
    fc.assert(
      fc.property(reachable, fc.boolean(), (steps, byStep) => {
        const [one, two] = [walked(steps).world, walked(steps).world];
        const undone = one.undo({ steps: byStep });
        two.undo({ steps: byStep });
        if (!("diff" in undone)) return;
        one.redo();
        two.revert({ operation: undone.id });
        expect(visibleText(two.state)).toBe(visibleText(one.state));
      }),
      cases(40),
    );
  });
});

type Steps = readonly (readonly [string, number, number])[];

function walked(steps: Steps): Walker {
  const walker = new Walker();
  for (const [name, a, b] of steps) ACTIONS[name]?.(walker, a, b);
  return walker;
}

function takenBack(earlier: Steps, name: string, a: number, b: number, steps: boolean): void {
  const walker = walked(earlier);
  const { world } = walker;
  const before = shown(world, name);
  const operations = world.log.length;
  // In a turn with an even number the user types meanwhile, which is a step of its own.
  ACTIONS[name]?.(walker, isTurn(name) ? a | 1 : a, b);
  const after = visibleText(world.state);
  // A revert without any effect left is recorded, and undo skips it as well.
  if (world.log.length === operations || shown(world, name) === before) return;
  expect(world.undo({ steps })).toMatchObject({ kind: "undone" });
  expect(shown(world, name)).toBe(before);
  expect(world.redo()).toMatchObject({ kind: "redone" });
  expect(visibleText(world.state)).toBe(after);
}

function isTurn(name: string): boolean {
  return name.startsWith("turn") || name === "retry";
}

/** After an undo of a turn the draft is its prompt (H7): the only difference. */
function shown(world: World, name: string): string {
  const text = visibleText(world.state);
  if (!isTurn(name)) return text;
  return text.replace(/"draft":"[^"]*",/g, "").replace(/\["setting:draft",[^\]]*\],?/g, "");
}
