/** The changes that a user can make to the thread: plans that are looked at first, and changes that are undone when they were not meant. */
import { NO_DECISIONS } from "@retake/client/screen";
import { call, type Effect } from "./effect.ts";
import type { HeldPrompt, Model, PlanPlace, PlanRequest, TurnOptions } from "./model.ts";
import { pushPlace, type Step, say, step } from "./step.ts";

/** Asks what something would do. Its place opens at once, and closes by itself where the plan holds no surprise. */
export function plan(model: Model, request: PlanRequest): Step {
  if (model.thread === undefined) return say(model, "There is no thread yet.", "warning");
  // One after the other: the next one is planned on what the one before has done.
  if (request.isQuick && model.quick) return step({ ...model, quick: [...model.quick, request] });
  const opened: Model = request.isQuick ? { ...model, quick: [] } : pushPlace(model, newPlan(request));
  return step(opened, dryRun(model.thread, request));
}

export function newPlan(request: PlanRequest): PlanPlace {
  const undecided = { decisions: NO_DECISIONS, texts: new Map<string, string>() };
  return { kind: "plan", request, plan: undefined, ...undecided, selected: 0, scroll: 0 };
}

/** A quick plan is carried out: the next one follows. */
export function nextQuick(model: Model): Step {
  const { thread, quick: [first, ...rest] = [] } = model;
  if (!first || thread === undefined) return step({ ...model, quick: undefined });
  return step({ ...model, quick: rest }, dryRun(thread, first));
}

export function dryRun(thread: string, request: PlanRequest) {
  return {
    kind: "call",
    name: request.route,
    args: [thread, ...request.path, { ...request.body, dry_run: true, detail: true }],
    tag: { for: "plan", request },
  } as const;
}

/** Does what a plan said, or is refused because something changed since. */
export function carryOut(thread: string, request: PlanRequest, more: Readonly<Record<string, unknown>>) {
  return {
    kind: "call",
    name: request.route,
    args: [thread, ...request.path, { ...request.body, ...more }],
    tag: { for: "done", request },
  } as const;
}

const NO_SCOPE = { path: [], hasScope: false, isQuick: true } as const;
/** The plan is shown in any case. */
const SHOWN = { ...NO_SCOPE, isQuick: false } as const;

export function undoTurns(model: Model, turns: number, isQuick = true): Step {
  const title = turns === 1 ? "Undo the last turn" : `Undo the last ${turns} turns`;
  return plan(model, { title, route: "undo", path: [], body: { turns }, hasScope: true, isQuick });
}

export function undoTo(model: Model, turn: string): Step {
  const title = `Go back before ${turn}`;
  return plan(model, { title, route: "undo", path: [], body: { to: turn }, hasScope: true, isQuick: false });
}

export function undoStep(model: Model): Step {
  return plan(model, { ...NO_SCOPE, title: "Undo the last step", route: "undo", body: { steps: 1 } });
}

export function redoStep(model: Model): Step {
  return plan(model, { ...NO_SCOPE, title: "Bring back what was undone", route: "redo", body: {} });
}

export function revert(model: Model, what: string, body: PlanRequest["body"]): Step {
  return plan(model, { ...SHOWN, title: `Take back ${what}`, route: "revert", body });
}

export function revertTurn(model: Model, name: string): Step {
  return revert(model, `only ${name}`, { turn: name });
}

export function branchAt(model: Model, entry: string): Step {
  return plan(model, { ...NO_SCOPE, title: `Branch at ${entry}`, route: "branch", body: { entry } });
}

export function switchTo(model: Model, take: string, name: string, isQuick = true): Step {
  return plan(model, { ...NO_SCOPE, title: `Switch to ${name}`, route: "switchTake", path: [take], body: {}, isQuick });
}

export function deleteTake(model: Model, take: string, name: string): Step {
  return plan(model, { ...NO_SCOPE, title: `Delete ${name}`, route: "deleteTake", path: [take], body: {} });
}

export function jumpTo(model: Model, op: string, name: string): Step {
  return plan(model, { ...SHOWN, title: `Go to ${name}`, route: "jump", body: { op } });
}

export function interrupt(model: Model, turn: string): Step {
  if (model.thread === undefined) return step(model);
  return step(model, call("interruptTurn", [model.thread, turn, {}], { for: "interrupted", thread: model.thread }));
}

export function send(model: Model, prompt: string, options: TurnOptions = {}): Step {
  const stored = !model.isPrivate;
  const next: Model = { ...model, anchor: undefined, focus: undefined, state: "typing", toast: undefined };
  const remember = { kind: "remember", prompt, stored } as const;
  // A second prompt does not begin a second thread, nor does it overtake the first.
  if (model.held) return step({ ...next, held: [...model.held, { prompt, options }] }, remember);
  if (model.thread === undefined) return step({ ...next, held: [] }, remember, { kind: "begin", prompt, options });
  return step(next, remember, startTurn(model.thread, { prompt, options }));
}

/** The first prompt of a new thread is there: the next one that waits for it follows. */
export function sendHeld(model: Model): Step {
  const { thread, held: [first, ...rest] = [] } = model;
  if (!first || thread === undefined) return step({ ...model, held: undefined });
  return step({ ...model, held: rest }, startTurn(thread, first));
}

function startTurn(thread: string, { prompt, options }: HeldPrompt): Effect {
  return call("startTurn", [thread, { prompt, ...options }], { for: "sent", prompt });
}
