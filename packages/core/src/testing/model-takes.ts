import { canonical } from "../values/json.ts";
import type { Learner } from "./learner.ts";
import { type Choice, chooseUndo, groupOf } from "./naive-history.ts";
import { copyOf, type Facts, type Files, type Flip, type Item, type NaiveModel, spaceKey } from "./naive-model.ts";

/** What the naive model says of takes, whoever drives the walk. */

/** The list of a new take: that of the active one, without the entries behind a place and the turns that begin there. */
export function branchOff(
  { model, take }: Learner,
  branch: { readonly take: string; readonly order: readonly string[]; readonly at: number; readonly files: Files },
): void {
  const { order, at, files, take: new_take } = branch;
  const cut = order.slice(at + 1);
  const stay = new Set(order.slice(0, at + 1).map((id) => `entry:${id}`));
  const items = model.inheritance(take);
  const facts = model.facts(take);
  const turnOf = (prompt: Item["prompt"]) => `turn:${String(facts.get(`entry:${prompt?.entry}`)?.["turn_id"])}`;
  const behind = items.filter(({ prompt }) => prompt && cut.includes(prompt.entry) && facts.has(turnOf(prompt)));
  const gone = new Set(behind.map((item) => item.flags));
  const turns = behind.map((item) => turnOf(item.prompt));
  model.seq += 1;
  const { seq } = model;
  const base = { seq, operation: "cut", group: "cut", role: "note" as const, leaves: false };
  const withoutCut: Item = {
    ...base,
    flags: { conversation: false, files: false, kept: false },
    run: (of) => {
      for (const key of [...cut.map((id) => `entry:${id}`), ...turns]) of.delete(key);
      // What else was of those turns, and comes back when its removal is undone, does not come back here.
      for (const [key, fact] of of)
        if (turns.includes(`turn:${String(fact["turn_id"])}`) && !stay.has(key)) of.delete(key);
    },
    files: {},
    filesAfter: files,
  };
  const begins = items.findIndex((item) => item.role === "turn" && gone.has(item.flags));
  const known = items.slice(0, begins < 0 ? items.length : begins);
  const point = known.findLastIndex((item) => item.filesAfter && canonical(item.filesAfter) === canonical(files));
  const copy = withFilesOf(model, new_take, items, point + 1);
  const left = copy.filter((_, index) => !gone.has((items[index] as Item).flags));
  model.takes.set(new_take, { items: [...left, withoutCut], birth: seq });
  if (canonical(model.files(new_take)) !== canonical(files)) throw new Error("the model lost the files of a branch");
}

/** A copy of a take's list in which nothing was done to the files from some point on. */
function withFilesOf(model: NaiveModel, new_take: string, items: readonly Item[], point: number): Item[] {
  const copy = copyOf(items);
  model.takes.set(new_take, { items: copy, birth: model.seq });
  for (const { flags, flips } of copy.slice(point).reverse()) {
    if (flags.files) continue;
    for (const flip of [...(flips ?? [])].reverse())
      if (flip.scope !== "conversation") model.flip([{ ...flip, scope: "files", undone: !flip.undone }], "do");
  }
  return copy.map((item, index) => {
    if (index < point) return item;
    item.flags.filesLeftOut = true;
    const flips = item.flips?.flatMap((flip) =>
      flip.scope === "files" ? [] : [{ ...flip, scope: "conversation" as const }],
    );
    return { ...item, files: {}, ...(flips ? { flips } : {}) };
  });
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
