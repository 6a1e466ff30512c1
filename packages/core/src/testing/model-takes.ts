import type { Learner } from "./learner.ts";
import { chooseUndo, groupOf, type UndoChoice } from "./naive-history.ts";
import {
  changesBetween,
  copyOf,
  type Facts,
  type Files,
  type Flip,
  type Item,
  replay,
  spaceKey,
} from "./naive-model.ts";
import { towards } from "./walk-parts.ts";

/** The naive model of takes, for every kind of walk. */

/**
 * The list of a new take: that of the active one, up to the branch point. Effects of later commands that the branch
 * holds, on entries that stay and on settings, are set by one command, which cannot be undone in the branch.
 */
export function branchOff(
  { model, take }: Learner,
  branch: {
    readonly take: string;
    readonly order: readonly string[];
    readonly at: number;
    readonly nameOf: (files: Files) => string;
  },
): void {
  const { order, at, take: new_take, nameOf } = branch;
  const facts = model.facts(take);
  const items = model.inheritance(take);
  const point = pointOf(items, facts, order, at);
  const known = copyOf(items.filter(({ seq }) => seq <= point.seq));
  const then = replay(known);
  const later = new Set(items.filter(({ seq, prompt }) => prompt && seq > point.seq).map(({ turn }) => `turn:${turn}`));
  const cut = new Set(order.slice(at + 1).map((id) => `entry:${id}`));
  const wanted: Facts = new Map([...facts].filter(([key]) => !cut.has(key) && !later.has(key)));
  const files = point.files ?? model.files(take);
  const own = point.inside && wanted.get(point.inside);
  if (own) wanted.set(point.inside as string, { ...own, tree_after: nameOf(files) });
  model.seq += 1;
  const { seq } = model;
  const rest: Item = {
    seq,
    operation: "branch",
    group: "branch",
    role: "note",
    leaves: false,
    filesAfter: files,
    flags: { conversation: false, files: false, kept: false },
    run: towards(then.facts, wanted),
    files: changesBetween(then.files, files),
  };
  model.takes.set(new_take, { items: [...known, rest], birth: seq });
}

/** The files of a branch at an entry. */
export function branchFiles({ model, take }: Learner, order: readonly string[], at: number): Files {
  return pointOf(model.inheritance(take), model.facts(take), order, at).files ?? model.files(take);
}

interface BranchPoint {
  /** The last command that the branch holds. */
  readonly seq: number;
  readonly files?: Files;
  /** The key of the turn that it lies inside of. */
  readonly inside?: string;
}

/**
 * After the last turn nothing is left out; inside a turn, the branch ends with the command that wrote its last entry.
 */
function pointOf(items: readonly Item[], facts: Facts, order: readonly string[], at: number): BranchPoint {
  const turnOf = (id: string) => `turn:${String(facts.get(`entry:${id}`)?.["turn_id"])}`;
  const isTurn = (key: string) => facts.has(key);
  const own = order
    .slice(0, at + 1)
    .map(turnOf)
    .findLast(isTurn);
  const next = order
    .slice(at + 1)
    .map(turnOf)
    .find(isTurn);
  if (next === undefined) return { seq: Number.MAX_SAFE_INTEGER };
  const partsOf = (key: string) => items.filter((item) => item.role === "turn" && `turn:${item.turn}` === key);
  const last = (item: Item | undefined): BranchPoint => ({ seq: item?.seq ?? 0, files: item?.filesAfter ?? {} });
  const [start] = partsOf(next);
  if (own === undefined) return { ...last(start), seq: (start?.seq ?? 1) - 1 };
  const ended = partsOf(own).at(-1);
  // A jump into the turn restored it as it was then.
  if (own !== next) return facts.get(own)?.["tree_after"] ? last(ended) : { ...last(start), seq: ended?.seq ?? 0 };
  const stay = new Set(order.slice(0, at + 1));
  const wrote = partsOf(own).filter((item) => item.writes?.some((id) => stay.has(id)));
  return { ...last(wrote.at(-1)), inside: own };
}

/** The record of a new take, whose list exists already. */
export function newTake({ model }: Learner, take: string, source: string): (facts: Facts) => void {
  const used = [...model.threadFacts].filter(([key]) => key.startsWith("take:")).map(([, fact]) => fact["name"]);
  let number = 1;
  const base = source.replace(/_take_.*$/, "");
  while (used.includes(`${base}_take_${number}`)) number += 1;
  return (facts) => {
    facts.set(`take:${take}`, { name: `${base}_take_${number}`, deleted: false });
    facts.set("active", { take });
    facts.set(spaceKey(take), {});
  };
}

/** A take with work done in it is not removed without asking. */
export function hasOwnWork({ model }: Learner, record: string): boolean {
  const line = model.takes.get(record.replace(/^take:/, ""));
  const isWork = ({ role, seq, flags }: Item) =>
    role !== "note" && role !== "undo" && seq > (line?.birth ?? 0) && !(flags.conversation && flags.files);
  return line?.items.some(isWork) === true;
}

/** Whether the prompt of a turn is still an entry after everything newer is undone. */
export function promptIsThere({ model }: Learner, flips: readonly Flip[], turn: Item, take: string): boolean {
  const newer = flips.slice(
    0,
    flips.findIndex(({ flags }) => flags === turn.flags),
  );
  return model.flipped(newer, () => model.facts(take).has(`entry:${turn.prompt?.entry ?? ""}`));
}

/** The groups that undo takes back; for a retry, also the turn that it replaced. */
export function chooseTries({ model, take }: Learner): UndoChoice {
  for (let count = 1; ; count += 1) {
    const choice = chooseUndo(model, take, { count, steps: false, scope: "both" });
    const first = choice.flips.at(-1);
    if (
      !first ||
      choice.turns.length === 0 ||
      choice.missing > 0 ||
      !groupOf(model, first.flags).some((item) => item.role === "undo")
    )
      return choice;
  }
}
