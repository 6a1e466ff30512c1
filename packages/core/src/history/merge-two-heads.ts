import { freeTakeName } from "../operations/take.ts";
import type { RecordValue } from "../session/diff.ts";
import { type Built, build, type Draft } from "../session/draft.ts";
import { KINDS } from "../session/kinds.ts";
import type { Operation, OperationId } from "../session/operation.ts";
import { inTake, keyOf, kindOf, type RecordId, type TakeId, threadId } from "../session/record.ts";
import { isRefusal, type Refusal } from "../session/refusal.ts";
import { recordOf, type Space, type State } from "../session/state.ts";
import { liveTakes, takeById } from "../session/view.ts";
import { canonical, equal, type Json, type JsonObject } from "../values/json.ts";
import type { History } from "./history.ts";
import { CommonValues } from "./merge-ancestors.ts";
import { sameContent, sameSpace } from "./merge-spaces.ts";

/** The part of a history that a merge reads: the operations of every line, and the states after them. */
export type Lines = Pick<History, "operation" | "stateAt">;

/**
 * The hash functions, which must be the same on every device: of a text, and of an operation with its parents' hashes.
 */
export interface Hashes {
  readonly text: (text: string) => string;
  readonly operation: (operation: Operation, parents: readonly string[]) => string;
}

export interface Head {
  readonly operation: OperationId;
  readonly hash: string;
}

/** The take `take` holds what the take `of` held at the head `head`. */
export interface Sibling {
  readonly take: TakeId;
  readonly of: TakeId;
  readonly head: OperationId;
  readonly name: string;
}

export interface MergeConflict {
  readonly record: RecordId;
  readonly field: string;
  readonly theirs: Json;
}

/** The outcome for a take: keep the main line's, copy the other line's, remove it, or keep both. */
type Fate = "stays" | "comes" | "goes" | "doubles";

/** The merge of two diverged heads. `ours` is the main line, whichever device merges. */
export class TwoHeads {
  readonly #heads: readonly [Head, Head];
  readonly #hashes: Hashes;
  readonly #ours: State;
  readonly #theirs: State;
  readonly #common: CommonValues;
  readonly #at: number;
  #siblings: Sibling[] = [];
  #conflicts: MergeConflict[] = [];

  constructor(lines: Lines, main: Head, other: Head, hashes: Hashes) {
    this.#heads = [main, other];
    this.#hashes = hashes;
    // The merge operation must not depend on which take is active on this device.
    this.#ours = { ...lines.stateAt(main.operation), device: "" };
    this.#theirs = lines.stateAt(other.operation);
    this.#common = new CommonValues(lines, main.operation, other.operation);
    this.#at = Math.max(...[main, other].map(({ operation }) => lines.operation(operation)?.created_at ?? 0));
  }

  merge(): { operation: Operation; siblings: readonly Sibling[]; conflicts: readonly MergeConflict[] } | Refusal {
    let live = true;
    const attempt = (keepTakes: boolean): Built =>
      build(this.#ours, this.#context(), (draft) => {
        draft.version = Math.max(this.#ours.version, this.#theirs.version) + 1;
        this.#mergeInto(draft, keepTakes);
        live = liveTakes(draft.state).length > 0;
        const { operation: head } = this.#heads[1];
        return {
          kind: "heads-merged",
          scope: "thread",
          description: this.#description(),
          merges: { head, version: this.#theirs.version },
          evenIfEmpty: true,
        };
      });
    let built = attempt(false);
    // Each line may have deleted the takes that the other one kept. Then keep those of the main line.
    if (!live) built = attempt(true);
    if (isRefusal(built)) return built;
    return { operation: built.operation, siblings: this.#siblings, conflicts: this.#conflicts };
  }

  #context() {
    const take = liveTakes(this.#ours)[0]?.id;
    return { id: this.#derivedId(), at: this.#at, actor: { kind: "sync" }, ...(take && { take }) } as const;
  }

  #description(): string {
    if (this.#siblings.length === 0)
      return this.#isThreadKept()
        ? "Keep the thread: it was deleted on one device and used on another"
        : "Merge changes from another device";
    return `Keep changes from another device as ${this.#siblings.map((each) => each.name).join(", ")}`;
  }

  /** With `keepTakes`, no take of the main line is removed or deleted. */
  #mergeInto(draft: Draft, keepTakes: boolean): void {
    this.#siblings = [];
    this.#conflicts = [];
    const fates = new Map<TakeId, Fate>();
    for (const take of keysOf(this.#ours.spaces, this.#theirs.spaces)) fates.set(take, this.#fate(take, keepTakes));
    for (const id of keysOf(this.#ours.thread, this.#theirs.thread)) {
      if (kindOf(id) === "take") this.#mergeTake(draft, keyOf(id), fates.get(keyOf(id)) ?? "stays", keepTakes);
      else this.#mergeRecord(draft, id);
    }
    if (this.#isThreadKept()) draft.update("thread", { deleted: false });
    for (const [take, fate] of fates) {
      if (fate === "comes") this.#graft(draft, take, take);
      if (fate === "goes") draft.drop(take);
    }
    for (const [take, fate] of fates) if (fate === "doubles") this.#double(draft, take);
    this.#makeNamesUnique(draft);
  }

  #fate(take: TakeId, keepTakes: boolean): Fate {
    const [ours, theirs] = [this.#ours.spaces.get(take), this.#theirs.spaces.get(take)];
    if (sameSpace(ours, theirs)) return "stays";
    if (!theirs) {
      if (keepTakes || !this.#isNew("theirs", take) || this.#hasWork("ours", take)) return "stays";
      return "goes";
    }
    if (!ours) return this.#isNew("ours", take) && !this.#hasWork("theirs", take) ? "stays" : "comes";
    if (!this.#isNew("theirs", take) || (this.#isNew("ours", take) && sameContent(ours, theirs))) return "stays";
    return this.#isNew("ours", take) ? "doubles" : "comes";
  }

  /**
   * Whether a line has changed the space of a take since the lines diverged: created it, worked in it, or removed it.
   */
  #isNew(side: "ours" | "theirs", take: TakeId): boolean {
    const read = ({ spaces }: State): Space | undefined => spaces.get(take);
    return !this.#common.has(read(side === "ours" ? this.#ours : this.#theirs), read, sameSpace);
  }

  /** Whether a line has changed anything about a take, its name included. */
  #hasWork(side: "ours" | "theirs", take: TakeId): boolean {
    const id = threadId("take", take);
    const read = (state: State) => recordOf(state, id);
    return this.#isNew(side, take) || !this.#common.has(read(side === "ours" ? this.#ours : this.#theirs), read, equal);
  }

  /** Whether one line deleted the thread and the other worked in it: work wins over a deletion, as in a take. */
  #isThreadKept(): boolean {
    const [oursDeleted, theirsDeleted] = [this.#ours, this.#theirs].map(isThreadDeleted);
    if (oursDeleted === theirsDeleted) return false;
    const [live, side] = oursDeleted ? [this.#theirs, "theirs" as const] : [this.#ours, "ours" as const];
    return keysOf(live.spaces).some((take) => this.#isNew(side, take));
  }

  /** The record of a take is created and removed with its space. Work in a take wins over its deletion. */
  #mergeTake(draft: Draft, take: TakeId, fate: Fate, keepTakes: boolean): void {
    const id = threadId("take", take);
    const [ours, theirs] = [recordOf(this.#ours, id), recordOf(this.#theirs, id)];
    if (fate === "goes") draft.remove(id);
    else if (!ours && theirs && fate === "comes") draft.put(id, theirs);
    if (!ours || !theirs) return;
    this.#mergeRecord(draft, id);
    const isWorkedIn = ours["deleted"] ? fate === "comes" : fate !== "comes" && this.#isNew("ours", take);
    if (keepTakes || fate === "doubles") draft.update(id, { deleted: ours["deleted"] });
    else if (ours["deleted"] !== theirs["deleted"] && isWorkedIn) draft.update(id, { deleted: false });
  }

  /**
   * A record that one line changed gets that line's value. When both changed it, each field gets the value of the line
   * that changed it.
   */
  #mergeRecord(draft: Draft, id: RecordId): void {
    const [ours, theirs] = [recordOf(this.#ours, id), recordOf(this.#theirs, id)];
    if (equal(ours, theirs)) return;
    const read = (state: State) => recordOf(state, id);
    if (kindOf(id) === "numbers") draft.put(id, highest(ours, theirs));
    else if (this.#common.has(theirs, read, equal)) return;
    else if (this.#common.has(ours, read, equal)) put(draft, id, theirs);
    // Group records must match the log, so both come from the main line.
    else if (kindOf(id) === "group") return;
    else if (ours && theirs) this.#mergeFields(draft, id, ours, theirs);
    else if (theirs) draft.put(id, theirs);
  }

  #mergeFields(draft: Draft, id: RecordId, ours: JsonObject, theirs: JsonObject): void {
    for (const field of new Set([...Object.keys(ours), ...Object.keys(theirs)].sort())) {
      const read = (state: State) => recordOf(state, id)?.[field];
      if (equal(ours[field], theirs[field]) || this.#common.has(theirs[field], read, equal)) continue;
      if (this.#common.has(ours[field], read, equal)) draft.update(id, { [field]: theirs[field] });
      else this.#conflicts.push({ record: id, field, theirs: theirs[field] ?? null });
    }
  }

  #double(draft: Draft, of: TakeId): void {
    const take = this.#derivedId(of);
    const known = takeById(this.#theirs, of);
    const name = freeTakeName(draft.state, known?.name ?? "");
    this.#graft(draft, take, of);
    draft.put(threadId("take", take), { id: take, name, deleted: known?.deleted === true, since: draft.version });
    this.#siblings.push({ take, of, head: this.#heads[1].operation, name });
  }

  /** Gives a take the other line's space, without the records that are local to the other device. */
  #graft(draft: Draft, take: TakeId, from: TakeId): void {
    draft.graft(take, { operation: this.#heads[1].operation, take: from }, this.#theirs);
    for (const [local] of this.#theirs.spaces.get(from)?.records.entries() ?? [])
      if (KINDS[kindOf(local)].place === "local") draft.remove(inTake(take, local));
  }

  /** On a clash of names the main line's take keeps the name. */
  #makeNamesUnique(draft: Draft): void {
    const isOurs = ({ id, name }: { id: TakeId; name: string }) => takeById(this.#ours, id)?.name === name;
    const live = liveTakes(draft.state);
    const names = new Set<string>();
    for (const take of [...live.filter(isOurs), ...live.filter((each) => !isOurs(each))]) {
      const name = names.has(take.name) ? freeTakeName(draft.state, take.name) : take.name;
      if (name !== take.name) draft.update(threadId("take", take.id), { name });
      names.add(name);
    }
  }

  /**
   * An id that every device derives from the heads. It has the form of a UUID, and sorts by its time like all others.
   */
  #derivedId(take = ""): string {
    const digest = this.#hashes.text(canonical(["merge", ...this.#heads.map(({ hash }) => hash), take]));
    const time = this.#at.toString(16).padStart(12, "0");
    const parts = [time.slice(0, 8), time.slice(8), `8${digest.slice(0, 3)}`, `8${digest.slice(3, 6)}`];
    return [...parts, digest.slice(6, 18)].join("-");
  }
}

function isThreadDeleted(state: State): boolean {
  return recordOf(state, "thread")?.["deleted"] === true;
}

function put(draft: Draft, id: RecordId, value: RecordValue): void {
  if (value) draft.put(id, value);
  else draft.remove(id);
}

/** The highest number of both lines, so that a number in use is not used again. */
function highest(ours: JsonObject = {}, theirs: JsonObject = {}): JsonObject {
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].sort();
  return Object.fromEntries(names.map((name) => [name, Math.max(Number(ours[name] ?? 0), Number(theirs[name] ?? 0))]));
}

/** The keys of all tables, sorted. */
function keysOf(...tables: readonly State["thread"][] | readonly State["spaces"][]): string[] {
  return [...new Set(tables.flatMap((table) => [...table.entries()].map(([key]) => key)))].sort();
}
