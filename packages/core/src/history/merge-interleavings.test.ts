import { describe, expect, test } from "vitest";
import { editEntry } from "../operations/edit-entry.ts";
import { insertEntry } from "../operations/insert-entry.ts";
import { deleteTake } from "../operations/take.ts";
import { changeThread, createThread } from "../operations/thread.ts";
import { refuse } from "../session/refusal.ts";
import type { State } from "../session/state.ts";
import { activeTake, entryAt, liveTakes } from "../session/view.ts";
import { type Replica, type Step, Universe } from "../testing/merge-universe.ts";
import { branch } from "./branch.ts";
import type { Head } from "./merge-two-heads.ts";
import { completePlan, planUndo } from "./undo-plan.ts";

/**
 * Tries every order in which three devices work, hear from each other and merge. The number of deliveries is bounded:
 * devices that never know all heads could merge merges for ever.
 */
const first = (state: State) => entryAt(state, activeTake(state), 0)?.id ?? "";

const insert: Step = ({ state }, context) =>
  insertEntry(state, context, { entry: { id: `e-${context.id}`, content: context.id } });
const edit: Step = ({ state }, context) => editEntry(state, context, { entry: first(state), content: context.id });
const title: Step = ({ state }, context) => changeThread(state, context, { facts: { title: context.id } });
const branchOff: Step = (history, context) =>
  branch(history, context, { entry: first(history.state), take: `t-${context.id}` });
const deleteLast: Step = ({ state }, context) =>
  deleteTake(state, context, { take: liveTakes(state).at(-1)?.id ?? "" });
const undoStep: Step = (history, context) => {
  const plan = planUndo(history, { steps: true, on_conflict: "keep" });
  return plan.kind === "plan" ? completePlan(history, context, plan) : refuse("nothing-to-do", "");
};

const NAMES = ["a", "b", "c"];
const MIXED = [
  [edit, branchOff, insert],
  [insert, undoStep, deleteLast],
  [branchOff, edit, undoStep],
];
const TAKES = [
  [branchOff, insert, undoStep],
  [deleteLast, title, edit],
  [branchOff, deleteLast, title],
];

describe("every interleaving of three devices", () => {
  test.each([
    { what: "3 operations each, 1 delivery", scripts: MIXED, steps: 3, deliveries: 1, atOnce: true },
    {
      what: "2 operations each, 1 delivery, merged at any time",
      scripts: TAKES,
      steps: 2,
      deliveries: 1,
      atOnce: false,
    },
    {
      what: "1 operation each, 2 deliveries, merged at any time",
      scripts: TAKES,
      steps: 1,
      deliveries: 2,
      atOnce: false,
    },
  ])("[L7] [M4] $what: one head, and nothing lost", ({ scripts, steps, deliveries, atOnce }) => {
    const universe = new Universe();
    const root = rootOf(universe);
    const found = explore(universe, root, scripts, { steps, deliveries, atOnce });
    expect(found).toBeGreaterThan(1000);
  });
});

type Device = Replica & { readonly heard: number };
type Bounds = { readonly steps: number; readonly deliveries: number; readonly atOnce: boolean };

/** Returns the number of situations. The universe's oracle checks each merge. */
function explore(universe: Universe, root: string, scripts: readonly (readonly Step[])[], bounds: Bounds): number {
  const start: Device[] = NAMES.map(() => ({ head: root, heads: [root], done: 0, heard: 0 }));
  const seen = new Set<string>([keyOf(universe, start)]);
  const open = [start];
  for (let devices = open.pop(); devices; devices = open.pop()) {
    const all = [...nextOf(universe, devices, scripts, bounds)];
    if (all.length === 0) expectOneHead(universe, devices);
    for (const next of all) {
      const key = keyOf(universe, next);
      if (!seen.has(key)) open.push(next);
      seen.add(key);
    }
  }
  return seen.size;
}

function* nextOf(
  universe: Universe,
  devices: readonly Device[],
  scripts: readonly (readonly Step[])[],
  { steps, deliveries, atOnce }: Bounds,
): IterableIterator<Device[]> {
  for (const [index, device] of devices.entries()) {
    const becomes = (replica: Replica, heard = device.heard) => devices.with(index, { ...replica, heard });
    const step = device.done < steps ? scripts[index]?.[device.done] : undefined;
    if (step) yield becomes(universe.work(NAMES[index] ?? "", device, step));
    if (device.heads.length > 1 || device.heads[0] !== device.head) yield becomes(universe.merge(device, byHash));
    if (device.heard === deliveries) continue;
    for (const from of devices) {
      const got = universe.receive(device, from);
      if (got.heads.join() !== device.heads.join())
        yield becomes(atOnce ? universe.merge(got, byHash) : got, device.heard + 1);
    }
  }
}

/** After everything is delivered, all devices merge to one head. */
function expectOneHead(universe: Universe, devices: readonly Device[]): void {
  const heads = devices.map(
    (device) =>
      universe.merge(
        devices.reduce<Replica>((all, each) => universe.receive(all, each), device),
        byHash,
      ).head,
  );
  if (new Set(heads).size !== 1) throw new Error(`several heads: ${heads}`);
}

function rootOf(universe: Universe): string {
  const origin = { id: "T-1", workspace_root: "/w", cwd: "/w", retake_version: "0", private: false };
  const context = { id: "op", at: 1_700_000_000_000, actor: { kind: "user" } } as const;
  const created = createThread(context, { origin, take: "t1", title: "main", tree: "tree-0" });
  if (created.kind === "refused") throw new Error(created.message);
  const head = universe.add(created.operation);
  return universe.work("z", { head, heads: [head], done: 0 }, insert).head;
}

function keyOf(universe: Universe, devices: readonly Device[]): string {
  const number = (id: string) => universe.known(id).number;
  return devices.map(({ head, heads, done, heard }) => [number(head), heads.map(number), done, heard].join()).join(";");
}

function byHash(one: Head, other: Head): number {
  return one.hash < other.hash ? -1 : 1;
}
