import { describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { liveGroups } from "../session/live-groups.ts";
import type { Operation } from "../session/operation.ts";
import { apply, EMPTY_STATE, type State } from "../session/state.ts";
import { ACTIONS } from "../testing/walk-actions.ts";
import { Walker } from "../testing/walker.ts";
import { visibleText } from "../testing/world.ts";
import { checkpointFormat } from "../wire/checkpoint-format.ts";
import { operationFormat } from "../wire/operation-format.ts";
import { decode, encode, type Format } from "../wire/versioned.ts";
import { MemoryHistory } from "./history.ts";
import { completeJump, planJump } from "./jump-plan.ts";
import { completePlan, planRedo, planUndo } from "./undo-plan.ts";

const step = fc.tuple(fc.constantFrom(...Object.keys(ACTIONS)), fc.nat(999), fc.nat(999));
const steps = fc.array(step, { minLength: 1, maxLength: 60, size: "max" });

describe("the log", () => {
  test("[H1] [S3] [W1] folded from its start, through the wire format, gives the live state at every point", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const { live, log } = walked(list);
        const history = new MemoryHistory();
        const folded = new Map<string, State>();
        let state = EMPTY_STATE;
        for (const operation of log) {
          const read = throughWire(operationFormat, operation);
          state = apply(state, read, (id) => folded.get(id) ?? EMPTY_STATE);
          folded.set(read.id, state);
          history.commit(read);
          expect(text(state)).toBe(live.get(operation.id));
          expect(text(history.state)).toBe(live.get(operation.id));
        }
        for (const { id } of log) expect(text(history.stateAt(id))).toBe(live.get(id));
      }),
      cases(15),
    );
  });

  test("[H1] a history opened from a checkpoint behaves like one that was never closed", () => {
    fc.assert(
      fc.property(steps, fc.nat(), fc.nat(), (list, at, target) => {
        const { log } = walked(list);
        const whole = new MemoryHistory(EMPTY_STATE, undefined, 7);
        for (const operation of log) whole.commit(operation);
        const saved = log[at % log.length] as Operation;
        const older = new MemoryHistory();
        for (const operation of log.slice(0, log.indexOf(saved) + 1)) older.add(operation);
        const opened = new MemoryHistory(throughWire(checkpointFormat, whole.stateAt(saved.id)), older, 5);
        for (const operation of log.slice(log.indexOf(saved) + 1)) opened.commit(operation);
        expect(text(opened.state)).toBe(text(whole.state));
        const jumpTo = log[target % log.length]?.id ?? "";
        expect(behaviour(opened, jumpTo)).toEqual(behaviour(whole, jumpTo));
      }),
      cases(20),
    );
  });
});

/** The outcomes of undo, redo and jump. */
function behaviour(history: MemoryHistory, operation: string): string[] {
  const seen: string[] = [];
  let ids = 0;
  const context = () => {
    ids += 1;
    return { id: `later-${ids}`, at: 1_900_000_000_000, actor: { kind: "user" } as const };
  };
  const carryOut = (plan: ReturnType<typeof planUndo>) => {
    const built = plan.kind === "plan" ? completePlan(history, context(), plan) : plan;
    if (built.kind === "operation") history.commit(built.operation);
    seen.push(built.kind, text(history.state));
  };
  for (let count = 1; count < 4; count += 1) carryOut(planUndo(history, { count, steps: count !== 2 }));
  carryOut(planRedo(history, { count: 2 }));
  const jump = planJump(history, { operation, new_take: "t-later" });
  const jumped = jump.kind === "jump" ? completeJump(history, context(), jump) : jump;
  if (jumped.kind === "operation") history.commit(jumped.operation);
  seen.push(text(history.state));
  carryOut(planUndo(history, { steps: true, count: 9 }));
  return seen;
}

function walked(list: readonly (readonly [string, number, number])[]) {
  const walker = new Walker();
  const { world } = walker;
  const live = new Map<string, string>();
  const commit = world.history.commit.bind(world.history);
  live.set(world.log[0]?.id ?? "", text(world.state));
  world.history.commit = (operation) => {
    const state = commit(operation);
    live.set(operation.id, text(state));
    return state;
  };
  for (const [name, a, b] of list) ACTIONS[name]?.(walker, a, b);
  return { live, log: world.log };
}

function throughWire<T>(format: Format<T>, value: T): T {
  const read = decode(format, JSON.parse(JSON.stringify(encode(format, value))));
  if (read.kind !== "decoded") throw new Error(read.message);
  return read.value;
}

function text(state: State): string {
  const groups = [...state.spaces.entries()].map(([take]) => [...liveGroups(state, take)]);
  return `${state.head} ${state.version} ${JSON.stringify([state.typing, groups])} ${visibleText(state)}`;
}
