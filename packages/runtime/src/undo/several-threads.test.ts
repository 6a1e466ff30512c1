/**
 * Threads and a user work in the same files, each in lines and files of its own. Whatever a thread takes back, the lines of the
 * others stay, and taking that back gives every file as it was. Unlike the walk of the command line, this knows no rule about
 * which tree a thread gets: only whose lines may change.
 */
import { activeTake, branch, deleteTake, entryAt, entryCount, kindOf, liveTakes, switchTake, tree } from "@retake/core";
import { showPath } from "@retake/workspace";
import { afterEach, expect, test } from "vitest";
import { amount, seeds } from "../../../../testing/budget.ts";
import { RandomNumbers } from "../../../../testing/random-numbers.ts";
import { filesAnswer } from "../answers/files-answer.ts";
import type { TakeBackOptions } from "../workspace/open-workspace.ts";
import type { ChangedWithFiles, TakeBackResult } from "./take-back.ts";
import { owned, SharedLists, USER } from "./testing/shared-lists.ts";
import type { SharedWorkspace } from "./testing/shared-workspace.ts";
import { storedRecords, storedRows } from "./testing/stored-rows.ts";

let walk: Walk | undefined;
afterEach(() => walk?.shared.remove());

test.each(seeds(amount("walks", 4, 100)))(
  "[X5] [U4] [H14] a thread that takes something back leaves the lines of other threads and of the user, as its dry run says (RETAKE_SEED=%i)",
  async (seed) => {
    walk = new Walk(seed);
    try {
      await walk.begin();
      for (let step = 0; step < amount("steps", 20, 60); step += 1) await walk.step();
      await walk.end();
    } catch (error) {
      throw new Error(`${walk.log.join("\n")}\n\n${(error as Error).stack}`, { cause: error });
    }
  },
);

type Done = TakeBackResult | ChangedWithFiles;

interface Worker {
  readonly name: string;
  readonly thread: string;
  /** The operations that were the thread's head once. */
  readonly heads: string[];
}

const NAMES = ["t0", "t1", "t2"];

class Walk {
  readonly log: string[] = [];
  readonly shared: SharedWorkspace;
  readonly #lists: SharedLists;
  readonly #random: RandomNumbers;
  readonly #workers: Worker[] = [];

  constructor(seed: number) {
    this.#random = new RandomNumbers(seed);
    this.#lists = new SharedLists(this.#random, NAMES);
    this.shared = this.#lists.shared;
  }

  async begin(): Promise<void> {
    const hasPrivate = this.#random.percent(50);
    for (const name of NAMES) {
      const isPrivate = hasPrivate && name === NAMES.at(-1);
      const thread = await this.shared.workspace.newThread(name, { private: isPrivate });
      await this.shared.turn(thread, "Say hello.");
      const worker = { name, thread, heads: [] };
      this.#workers.push(worker);
      this.#remember(worker);
    }
  }

  async step(): Promise<void> {
    const chance = this.#random.below(100);
    if (chance < 25) this.log.push(`user: ${this.#lists.edit()}`);
    else if (chance < 60) await this.#turn(this.#random.pick(this.#workers));
    else await this.#takeBack(this.#random.pick(this.#workers));
  }

  /** Another process reads the same threads as this one. */
  async end(): Promise<void> {
    const other = this.shared.open();
    for (const { thread } of this.#workers) {
      expect(storedRecords(other, thread)).toEqual(storedRecords(this.shared.workspace, thread));
      expect(other.store.partOf(thread).threads.verify(thread)).toEqual([]);
    }
    await other.close();
  }

  async #turn(worker: Worker): Promise<void> {
    const instructions = Array.from({ length: 1 + this.#random.below(2) }, () => this.#lists.instruction(worker.name));
    this.log.push(`${worker.name}: ${instructions.join("; ")}`);
    const before = this.#lists.disk();
    await this.shared.turn(worker.thread, instructions.join("\n"));
    for (const owner of [...NAMES, USER]) if (owner !== worker.name) this.#requireSame(owner, before);
    this.#remember(worker);
  }

  /** Takes something back, then often takes that back, and does it again. */
  async #takeBack(worker: Worker): Promise<void> {
    // Not by overwriting: nobody would know any more whose lines are where.
    const onConflict = this.#random.percent(60) ? "abort" : this.#random.pick(["keep", "merge"] as const);
    const before = this.#lists.disk();
    const was = this.#state(worker);
    const elsewhere = () => this.#lists.ownedInTakes(worker.thread, worker.name, was.take);
    const takes = elsewhere();
    const { name, run } = this.#command(worker);
    const foretold = this.#random.percent(30)
      ? await this.#rehearse(() => run({ onConflict, dryRun: true }))
      : undefined;
    const done = await run({ onConflict });
    this.log.push(`${worker.name}: ${name} (${onConflict}): ${said(done)}`);
    if (foretold) expect(foretold).toEqual(outcome(done));
    if (done.kind !== "done") {
      expect(this.#lists.disk()).toEqual(before);
      expect(this.#state(worker)).toEqual(was);
      return;
    }
    const conflicts = (done.files?.conflicts ?? []).map(({ path }) => showPath(path));
    const marked = onConflict === "merge" ? conflicts : [];
    for (const owner of NAMES) if (owner !== worker.name) this.#requireSame(owner, before, marked);
    const isOfTurns = /^(Undo|Redo|Revert): Turn/.test(done.operation.description);
    if (isOfTurns && this.#state(worker).take === was.take) this.#requireSame(USER, before, marked);
    this.#remember(worker);
    // One step does not take a redo back, which may have returned several, and passes over a step without an effect (H6).
    const { kind, diff } = done.operation;
    const isStep = diff.spaces !== undefined || diff.changes.some(({ id }) => kindOf(id) !== "group");
    if (kind === "redone" || !isStep || this.#random.percent(50)) return;
    const again = kind === "undone" ? () => run({ onConflict }) : undefined;
    await this.#thereAndBack(worker, again, () => {
      expect(this.#lists.disk()).toEqual(before);
      // A file that was in conflict stays in the take as it was decided.
      if (conflicts.length === 0) expect(elsewhere()).toEqual(takes);
    });
  }

  async #thereAndBack(
    worker: Worker,
    undoAgain: (() => Promise<Done>) | undefined,
    requireBefore: () => void,
  ): Promise<void> {
    const { workspace } = this.shared;
    const after = this.#lists.disk();
    const redo = () => workspace.redo(worker.thread, 1);
    const back = undoAgain ? await redo() : await workspace.undo(worker.thread, { steps: true });
    this.log.push(`${worker.name}: ${undoAgain ? "redo" : "undo --step"}: ${said(back)}`);
    expect(back).toMatchObject({ kind: "done" });
    requireBefore();
    const again = await (undoAgain ?? redo)();
    this.log.push(`${worker.name}: again: ${said(again)}`);
    expect(again).toMatchObject({ kind: "done" });
    expect(this.#lists.disk()).toEqual(after);
    this.#remember(worker);
  }

  /** A dry run changes no thread and no file. The first one captures the files, so a second one changes nothing that is stored. */
  async #rehearse(run: () => Promise<Done>): Promise<object> {
    const before = [this.#lists.disk(), this.#workers.map((worker) => this.#state(worker))];
    const first = await run();
    const stored = storedRows(this.shared.workspace);
    expect(outcome(await run())).toEqual(outcome(first));
    expect(storedRows(this.shared.workspace)).toEqual(stored);
    expect([this.#lists.disk(), this.#workers.map((worker) => this.#state(worker))]).toEqual(before);
    return outcome(first);
  }

  #command({ thread, heads }: Worker): { name: string; run: (options: TakeBackOptions) => Promise<Done> } {
    const { workspace } = this.shared;
    const operation = this.#random.pick(heads);
    const count = 1 + this.#random.below(2);
    const takes = workspace.store.read(thread, ({ state }) =>
      liveTakes(state).sort((one, other) => (one.name < other.name ? -1 : 1)),
    );
    const take = this.#random.pick(takes).id;
    switch (this.#random.below(10)) {
      case 0:
      case 1:
        return { name: `undo ${count}`, run: (options) => workspace.undo(thread, { count }, options) };
      case 2:
        return {
          name: `undo --step ${count}`,
          run: (options) => workspace.undo(thread, { steps: true, count }, options),
        };
      case 3:
        return {
          name: `redo ${count}`,
          run: (options) => workspace.redo(thread, count, options),
        };
      case 4:
        return { name: "revert", run: (options) => workspace.revert(thread, { operation }, options) };
      case 5:
        return { name: "jump", run: (options) => workspace.jump(thread, { operation }, options) };
      case 6: {
        const wanted = workspace.store.read(thread, (history) => {
          const past = history.stateAt(operation);
          return tree(past, activeTake(past));
        });
        const request = { snapshot: `S-${operation}`, tree: wanted };
        return { name: "restore", run: (options) => workspace.restore(thread, request, options) };
      }
      case 7: {
        const entry = workspace.store.read(thread, ({ state }) => {
          const active = activeTake(state);
          return entryAt(state, active, this.#random.below(entryCount(state, active)))?.id ?? "";
        });
        const made = workspace.store.identity.id();
        const run = (options: TakeBackOptions) =>
          workspace.changeWithFiles(thread, (history, at) => branch(history, at, { entry, take: made }), options);
        return { name: "branch", run };
      }
      default: {
        const change = this.#random.percent(30) ? deleteTake : switchTake;
        const run = (options: TakeBackOptions) =>
          workspace.changeWithFiles(thread, ({ state }, at) => change(state, at, { take }), options);
        return { name: change === deleteTake ? "delete" : "switch", run };
      }
    }
  }

  /** An owner has the same lines and files. Between markers, there may be others beside them. */
  #requireSame(owner: string, before: Readonly<Record<string, string>>, marked: readonly string[] = []): void {
    const [now, then] = [owned(this.#lists.disk(), owner), owned(before, owner)];
    for (const name of Object.keys({ ...now, ...then })) {
      const isMarked = marked.includes(name.split(" ")[0] ?? "");
      const expected = isMarked ? expect.arrayContaining([...(then[name] ?? [])]) : then[name];
      expect(now[name], `${name} on disk`).toEqual(expected);
    }
  }

  #state({ thread }: Worker): { head: string | null; take: string } {
    return this.shared.workspace.store.read(thread, ({ state }) => ({ head: state.head, take: activeTake(state) }));
  }

  #remember(worker: Worker): void {
    worker.heads.push(this.#state(worker).head ?? "");
  }
}

/** The part of a result that a dry run foretells. */
function outcome(done: Done): object {
  if (!("files" in done)) return done;
  const files = filesAnswer(done);
  return done.kind === "conflicts"
    ? { kind: done.kind, conflicts: files.conflicts, plan_id: done.foreseen.plan_id }
    : { kind: done.kind === "would-do" ? "done" : done.kind, files };
}

function said(done: Done): string {
  return done.kind === "done" ? done.operation.description : done.kind;
}
