import type { Merge } from "../history/merge.ts";
import { relate } from "../history/merge-ancestors.ts";
import type { Lines } from "../history/merge-two-heads.ts";
import type { Operation, OperationId } from "../session/operation.ts";
import { recordsIn, type Space, type State } from "../session/state.ts";
import { entries, liveTakes } from "../session/view.ts";
import { canonical, type Json } from "../values/json.ts";

/** Checks the rules of a merge, using whole sets of ancestors, and spaces as texts. */
export class MergeOracle {
  /** Every operation has one content, whichever device made it. */
  readonly #hashes = new Map<OperationId, string>();
  readonly #losses = new Map<OperationId, ReadonlySet<string>>();

  check(lines: Lines, { operations }: Pick<Merge, "operations">): void {
    for (const { operation, hash } of operations) {
      const known = this.#hashes.get(operation.id) ?? hash;
      if (known !== hash) throw new Error(`two merges have the id ${operation.id}`);
      this.#hashes.set(operation.id, hash);
      this.#checkOne(lines, operation);
    }
  }

  /** Everything that was live on a device at the end of its own work is still there, unless an operation removed it. */
  checkEnds(lines: Lines, head: OperationId, ends: readonly State[]): void {
    const now = liveContents(lines.stateAt(head));
    const all = ancestors(lines, head);
    for (const end of ends)
      for (const text of liveContents(end))
        if (!now.has(text) && !this.#isTaken(lines, all, text)) throw new Error(`${text} was lost`);
  }

  #checkOne(lines: Lines, operation: Operation): void {
    const [main, other] = operation.parents as [OperationId, OperationId];
    const [one, two] = [ancestors(lines, main), ancestors(lines, other)];
    const both = [...one].filter((id) => two.has(id));
    const below = new Set(both.flatMap((id) => lines.operation(id)?.parents ?? []));
    const lowest = both.filter((id) => !below.has(id)).sort();
    const relation = relate(lines, main, other);
    const found = relation.kind === "diverged" ? [...relation.common].sort() : [];
    if (found.join() !== lowest.join()) throw new Error(`${main} and ${other} have ${lowest} in common, not ${found}`);

    const [ours, theirs, after] = [main, other, operation.id].map((id) => lines.stateAt(id)) as [State, State, State];
    const own = [...one, ...two].filter((id) => !(one.has(id) && two.has(id)));
    const now = liveContents(after);
    for (const text of [...liveContents(ours), ...liveContents(theirs)])
      if (!now.has(text) && !this.#isTaken(lines, own, text)) throw new Error(`${text} was lost by ${operation.id}`);
    const live = liveTakes(after);
    if (live.length === 0) throw new Error("no take is live");
    if (new Set(live.map(({ name }) => name)).size < live.length) throw new Error("two takes have one name");
    if (live.some(({ id }) => !after.spaces.has(id))) throw new Error("a take has no content");
    if (lowest.length !== 1) return;
    const base = lines.stateAt(lowest[0] as string);
    checkTakes(base, ours, theirs, after);
    checkThread(base, ours, theirs, after);
  }

  #isTaken(lines: Lines, operations: Iterable<OperationId>, text: string): boolean {
    for (const id of operations) if (this.#lossesOf(lines, id).has(text)) return true;
    return false;
  }

  /** The contents that an operation (no merge) removed from live takes. */
  #lossesOf(lines: Lines, id: OperationId): ReadonlySet<string> {
    const known = this.#losses.get(id);
    if (known) return known;
    const operation = lines.operation(id);
    const parent = operation?.parents[0];
    const losses = new Set<string>();
    if (operation?.kind !== "heads-merged" && parent !== undefined) {
      const [before, after] = [lines.stateAt(parent), lines.stateAt(id)];
      for (const { id: take } of liveTakes(before)) {
        const now = liveTakes(after).some((each) => each.id === take) ? contents(after, take) : new Set();
        for (const text of contents(before, take)) if (!now.has(text)) losses.add(text);
      }
    }
    this.#losses.set(id, losses);
    return losses;
  }
}

/** The rule for takes, with spaces as texts. */
function checkTakes(base: State, ours: State, theirs: State, after: State): void {
  const made = [...after.spaces.entries()].filter(([id]) => !ours.spaces.has(id) && !theirs.spaces.has(id));
  const siblings = made.map(([id]) => textOf(after, id)).sort();
  const expected: (string | undefined)[] = [];
  for (const id of new Set([...ours.spaces.entries(), ...theirs.spaces.entries()].map(([key]) => key))) {
    const [was, one, two, now] = [base, ours, theirs, after].map((state) => textOf(state, id));
    let should = one === was && two !== undefined ? two : one;
    if (one === was && two === undefined && now === undefined) should = undefined;
    if (one === undefined && two !== undefined && two !== was) should = two;
    if (one === undefined && two === was && now !== undefined) should = two;
    const doubled = one !== undefined && two !== undefined && one !== two && one !== was && two !== was;
    if (doubled && contentOf(ours, id) !== contentOf(theirs, id)) expected.push(two);
    if (now !== should) throw new Error(`${id} is ${now}, not ${should}`);
  }
  if (expected.sort().join() !== siblings.join()) throw new Error(`siblings ${siblings}, not ${expected}`);
}

/** A thread that is worked in is not deleted by the other line. */
function checkThread(base: State, ours: State, theirs: State, after: State): void {
  const isDeleted = (state: State) => state.thread.get("thread")?.["deleted"] === true;
  const isWorkedIn = (state: State) =>
    !isDeleted(state) && [...state.spaces.entries()].some(([take]) => textOf(state, take) !== textOf(base, take));
  if (isDeleted(after) && (isWorkedIn(ours) || isWorkedIn(theirs))) throw new Error("the thread was deleted");
}

function ancestors(lines: Lines, head: OperationId): Set<OperationId> {
  const found = new Set<OperationId>([head]);
  for (const id of found) for (const parent of lines.operation(id)?.parents ?? []) found.add(parent);
  return found;
}

function textOf(state: State, take: string, counts = (_: string): boolean => true): string | undefined {
  const space = state.spaces.get(take);
  return (
    space &&
    canonical([...recordsIn(space as Space)].filter(([local]) => local !== "agent" && counts(local)) as never as Json)
  );
}

function contentOf(state: State, take: string): string | undefined {
  return textOf(state, take, (local) => !local.startsWith("group:"));
}

function contents(state: State, take: string): Set<string> {
  return new Set([...entries(state, take)].map(({ id, role, content }) => `${id} ${role} ${content}`));
}

function liveContents(state: State): Set<string> {
  return new Set(liveTakes(state).flatMap(({ id }) => [...contents(state, id)]));
}
