import type { Learner } from "./learner.ts";
import { type Choice, chooseUndo, groupOf } from "./naive-history.ts";
import { changesBetween, copyOf, type Facts, type Files, type Flip, type Item, spaceKey } from "./naive-model.ts";

/** What the naive model says of takes, whoever drives the walk. */

/** The list of a new take: that of the active one, without the entries behind a place and the turns that begin there. */
export function branchOff(
  { model, take }: Learner,
  branch: { readonly take: string; readonly order: readonly string[]; readonly at: number; readonly files: Files },
): void {
  const { order, at, files, take: new_take } = branch;
  const cut = order.slice(at + 1);
  const { items } = model.line(take);
  const gone = new Set(
    items.filter((item) => item.prompt && cut.includes(item.prompt.entry)).map((item) => item.flags),
  );
  const facts = model.facts(take);
  const prompts = items.flatMap((item) => (item.prompt && gone.has(item.flags) ? [item.prompt.entry] : []));
  const turns = prompts.map((id) => `turn:${String(facts.get(`entry:${id}`)?.["turn_id"])}`);
  const copy = copyOf(items.filter((item) => !gone.has(item.flags)));
  model.seq += 1;
  const { seq } = model;
  const base = { seq, operation: "cut", group: "cut", role: "note" as const, leaves: false };
  const withoutCut: Item = {
    ...base,
    flags: { conversation: false, files: false, kept: false },
    run: (of) => [...cut.map((id) => `entry:${id}`), ...turns].forEach((key) => void of.delete(key)),
    files: {},
  };
  model.takes.set(new_take, { items: [...copy, withoutCut], birth: seq });
  Object.assign(withoutCut, { files: changesBetween(model.files(new_take), files) });
}

/** The record of a new take, whose list is there. */
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

/** A take that was worked in since it was made is not dropped without asking. */
export function hasOwnWork({ model }: Learner, record: string): boolean {
  const line = model.takes.get(record.replace(/^take:/, ""));
  const isWork = ({ role, seq, flags }: Item) =>
    role !== "note" && role !== "undo" && seq > (line?.birth ?? 0) && !flags.conversation;
  return line?.items.some(isWork) === true;
}

/** Whether the prompt of a turn is still an entry when what is newer is undone. */
export function promptIsThere({ model, take }: Learner, flips: readonly Flip[], turn: Item): boolean {
  const newer = flips.slice(
    0,
    flips.findIndex(({ flags }) => flags === turn.flags),
  );
  model.flip(newer, "do");
  const there = model.facts(take).has(`entry:${turn.prompt?.entry ?? ""}`);
  model.flip(newer, "undo");
  return there;
}

/** Whether a group is one of the thread as a whole. */
export function isThreadWide({ model }: Learner, flags: Flip["flags"]): boolean {
  return model.thread.items.some((item) => item.flags === flags);
}

/** What undo would take; where that is itself a retry, also what it had replaced. */
export function chooseTries({ model, take }: Learner): Choice {
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
