import { branch } from "../history/branch.ts";
import type { Transition } from "../history/group-changes.ts";
import { completeJump, planJump } from "../history/jump-plan.ts";
import type { Nothing, Plan } from "../history/plan.ts";
import { planRetry } from "../history/retry-plan.ts";
import { planRevert } from "../history/revert-plan.ts";
import { completePlan, planRedo, planUndo } from "../history/undo-plan.ts";
import type { Operation } from "../session/operation.ts";
import { isRefusal, type Refusal } from "../session/refusal.ts";
import { apply } from "../session/state.ts";
import { tree } from "../session/view.ts";
import { branchOff, chooseTries, hasOwnWork, newTake, promptIsThere } from "./model-takes.ts";
import { chooseRedo, chooseRevert, chooseUndo, overlap, type UndoWish } from "./naive-history.ts";
import { changesBetween, copyOf, type Facts, type Files, type Flip } from "./naive-model.ts";
import { towards } from "./walk-parts.ts";
import { runTurn } from "./walk-turn.ts";
import type { Walker } from "./walker.ts";

/** Moves along the history, in core and in the model. */

export function undo(walker: Walker, wish: UndoWish, keep_prompt = false): void {
  const { model, world, take } = walker;
  const choice = chooseUndo(model, take, wish);
  const { scope, steps, count } = wish;
  const plan = planUndo(world.history, { count, steps, scope, keep_prompt });
  if (choice.effective === 0) {
    expectNothing(plan, overlap(model, choice.tried));
    return;
  }
  if (!proceeds(walker, plan, choice.tried)) return;
  const { item: turn, take: asked = take } = choice.turns.at(-1) ?? {};
  const kept = keep_prompt && turn !== undefined && promptIsThere(walker, choice.flips, turn, asked);
  const done = complete(walker, plan);
  const flips = choice.flips.map((flip) => ({ ...flip, kept: kept && flip.flags === turn?.flags }));
  const before = model.places();
  model.flip(flips);
  const draft = model.facts(asked).get("setting:draft");
  const returned = (!draft || draft["returned"]) && !kept && model.exists(asked) ? turn?.prompt?.text : undefined;
  const put = (facts: Facts) =>
    void (returned !== undefined && facts.set("setting:draft", { value: returned, returned: true }));
  walker.learn(done, {
    role: "undo",
    flips,
    leaves: model.places() !== before,
    takes: new Map([[model.exists(asked) ? asked : take, put]]),
    ...(done.scope === "thread" ? { thread: () => {} } : {}),
  });
}

export function redo(walker: Walker, count: number): void {
  const { model, world, take } = walker;
  const undos = chooseRedo(model, take, count);
  const plan = planRedo(world.history, { count });
  if (undos.length === 0) {
    expectNothing(plan, []);
    return;
  }
  const flips = undos.map(({ flags }) => ({ flags, scope: "both", undone: true }) as const);
  if (!proceeds(walker, plan, flips)) return;
  const done = complete(walker, plan);
  model.flip(flips);
  walker.learn(done, {
    role: "note",
    flips,
    takes: new Map([[take, () => {}]]),
    ...(done.scope === "thread" ? { thread: () => {} } : {}),
  });
}

/** Takes the last turn back and makes another in its place; both are one group. */
export function retry(walker: Walker, a: number, b: number): void {
  const { model, world, take } = walker;
  const choice = chooseTries(walker);
  const planned = planRetry(world.history);
  if (choice.turns.length === 0 || isRefusal(planned)) {
    // A whole made later conflicts with a retry, even if another one has replaced it.
    if (choice.turns.length > 0 && overlap(model, choice.tried).length === 0)
      throw new Error(`no retry of a turn: ${(planned as Refusal).message}`);
    if (!isRefusal(planned)) throw new Error("a retry of no turn");
    return;
  }
  if (!proceeds(walker, planned.plan, choice.tried)) return;
  const done = complete(walker, planned.plan);
  model.flip(choice.flips);
  walker.learn(done, { role: "undo", flips: choice.flips, leaves: false, takes: new Map([[take, () => {}]]) });
  runTurn(walker, a, b, done.id);
}

/** Takes back one group that no later command builds on, or the last undo. */
export function revert(walker: Walker, pick: number): void {
  const { model, world, take } = walker;
  const chosen = chooseRevert(model, take, pick);
  if (!chosen) return;
  const { item, flips } = chosen;
  const plan = planRevert(world.history, { operation: item.group });
  // Core refuses where later commands have removed everything; the model's replay without the group may differ there.
  if (isRefusal(plan) && plan.code === "nothing-to-do" && overlap(model, flips).length > 0) return;
  if (!proceeds(walker, plan, flips)) return;
  const done = complete(walker, plan);
  const before = model.places();
  model.flip(flips);
  walker.learn(done, {
    role: "whole",
    flips,
    leaves: model.places() !== before,
    takes: new Map([[take, () => {}]]),
    ...(done.scope === "thread" ? { thread: () => {} } : {}),
  });
}

export function jump(walker: Walker, pick: number): void {
  const { model, world } = walker;
  const target = world.log[pick % world.log.length];
  const past = target && walker.pasts.get(target.id);
  if (!target || !past) throw new Error("every operation has a past");
  const new_take = world.id("t");
  const plan = planJump(world.history, { operation: target.id, new_take });
  if (isRefusal(plan)) throw new Error(plan.message);
  const built = completeJump(world.history, world.context(), plan);
  if (model.exists(past.take)) {
    const files = changesBetween(model.files(past.take), past.files);
    const activate = (facts: Facts) => {
      facts.set(`take:${past.take}`, { ...facts.get(`take:${past.take}`), deleted: false });
      facts.set("active", { take: past.take });
    };
    walker.act(built, {
      role: "whole",
      takes: new Map([[past.take, towards(model.facts(past.take), past.facts)]]),
      files,
      filesOf: past.take,
      ...(past.take === model.active ? {} : { thread: activate }),
    });
    return;
  }
  model.takes.set(new_take, { items: copyOf(past.items), birth: model.seq });
  walker.act(built, { role: "whole", thread: newTake(walker, new_take, past.name) });
}

export function branchAt(walker: Walker, pick: number): void {
  const { model, world, take, order } = walker;
  if (order.length === 0 || [...model.threadFacts.keys()].filter((key) => key.startsWith("space:")).length > 5) return;
  const at = pick % order.length;
  const new_take = world.id("t");
  const entry = order[at] as string;
  branchOff(walker, { take: new_take, order, at, nameOf: (files) => walker.treeOf(files) });
  const name = model.threadFacts.get(`take:${take}`)?.["name"] as string;
  walker.act(branch(world.history, world.context(), { entry, take: new_take }), {
    role: "step",
    thread: newTake(walker, new_take, name),
  });
}

/** Whether the plan can be carried out and the model knows its result. */
function proceeds(walker: Walker, plan: Plan | Nothing | Refusal, flips: readonly Flip[]): plan is Plan {
  if (isRefusal(plan) && plan.code === "conflict") {
    expectBroken(walker, flips);
    return false;
  }
  if (plan.kind !== "plan") throw new Error(`core would not, the model would: ${plan.message}`);
  const clashes = overlap(walker.model, flips);
  const { conflicts } = plan;
  if (conflicts.length > 0) {
    const gone = conflicts.some(({ record }) => hasOwnWork(walker, record));
    if (clashes.length === 0 && !gone) throw new Error(`a conflict without a reason: ${conflicts[0]?.message}`);
    const { world } = walker;
    const refused = world.try(completePlan(world.history, world.context(), plan));
    if (!isRefusal(refused) || refused.code !== "conflict") throw new Error("a conflict was not refused");
    return false;
  }
  // When a later command changed the same field back and forth, replay and the three-way rule differ.
  return clashes.length === 0;
}

/** H14: a plan without conflicts can be completed. */
function complete(walker: Walker, plan: Plan): Operation {
  const { world } = walker;
  const trees = new Map<string, string>();
  for (const [take, transitions] of plan.files) {
    const now = walker.filesIn(treeBefore(walker, plan, take));
    trees.set(take, walker.treeOf(withoutTransitions(walker, now, transitions)));
  }
  const done = world.try(completePlan(world.history, world.context(), plan, { trees }));
  if (isRefusal(done)) throw new Error(`planned, and then refused: ${done.message}`);
  return done;
}

/** A take that the plan brings back has its tree from core, which takes the changes back if nothing came later. */
function treeBefore({ world }: Walker, plan: Plan, take: string): string {
  if (world.state.spaces.has(take)) return tree(world.state, take);
  const built = completePlan(world.history, world.context(), plan);
  if (built.kind === "refused") return "";
  return tree(
    apply(world.state, built.operation, (id) => world.history.stateAt(id)),
    take,
  );
}

/** As the runtime does: reverses the differences, and leaves later changes alone. */
function withoutTransitions(walker: Walker, now: Files, transitions: readonly Transition[]): Files {
  const files: Record<string, string> = { ...now };
  for (const transition of transitions) {
    const [before, after] = [walker.filesIn(transition.before), walker.filesIn(transition.after)];
    for (const name of Object.keys(changesBetween(before, after))) {
      if (files[name] !== after[name]) continue;
      if (before[name] === undefined) delete files[name];
      else files[name] = before[name];
    }
  }
  return files;
}

function expectNothing(plan: Plan | Nothing | Refusal, clashes: readonly string[]): void {
  // A plan without an effect may still conflict with a later change.
  if (plan.kind !== "nothing" && clashes.length === 0)
    throw new Error(`the model has nothing to take back, core has: ${plan.kind}`);
}

/** Core refused to plan; that is allowed only when the thread would be broken, or where replay and the three-way rule differ. */
function expectBroken(walker: Walker, flips: readonly Flip[]): void {
  if (overlap(walker.model, flips).length > 0) return;
  const facts = walker.model.flipped(flips, () => walker.model.threadFacts);
  const takes = [...facts].filter(([key, fact]) => key.startsWith("take:") && !fact["deleted"]);
  const active = takes.some(([key]) => key === `take:${String(facts.get("active")?.["take"])}`);
  if (active && new Set(takes.map(([, fact]) => fact["name"])).size === takes.length)
    throw new Error("refused without a reason");
}
