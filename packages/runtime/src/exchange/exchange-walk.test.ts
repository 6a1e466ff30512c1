import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { activeTake, branch, editEntry, entries, insertEntry, liveTakes, switchTake } from "@retake/core";
import { randomFrom } from "@retake/workspace/testing/random-tree.ts";
import { afterAll, expect, test } from "vitest";
import { amount, seeds } from "../../../../testing/budget.ts";
import { type BundlePlace, BundlePlaces, linesOf } from "./testing/bundle-place.ts";

const places = new BundlePlaces();
afterAll(() => places.close());

const steps = amount("steps", 16, 60);

/** Things that can happen to a thread and its files on one machine. */
const DEEDS: readonly ((place: BundlePlace, thread: string, random: () => number) => unknown)[] = [
  (place, thread, random) => place.say(thread, `write ${fileName(random)}: ${random()}`),
  (place, thread, random) => place.say(thread, `run rm -rf ${fileName(random)}; echo ${random()} > made`),
  ({ workspace }, thread, random) => {
    const entry = { id: `e${random()}`, content: "said", input: { tree: "oak" } };
    workspace.store.change(thread, (state, context) => insertEntry(state, context, { entry }));
  },
  ({ workspace }, thread, random) =>
    workspace.store.change(thread, (state, context) => {
      const [entry] = entries(state, activeTake(state));
      return editEntry(state, context, { entry: entry?.id ?? "", content: `edited ${random()}` });
    }),
  ({ workspace }, thread) => workspace.undo(thread, {}, { onConflict: "overwrite" }),
  ({ workspace }, thread) => workspace.redo(thread, 1, { onConflict: "overwrite" }),
  ({ workspace }, thread, random) =>
    workspace.changeWithFiles(
      thread,
      (history, context) => {
        const [entry] = entries(history.state, activeTake(history.state));
        return branch(history, context, { entry: entry?.id ?? "", take: `take-${random()}` });
      },
      { onConflict: "overwrite" },
    ),
  ({ workspace }, thread, random) =>
    workspace.changeWithFiles(
      thread,
      ({ state }, context) => {
        const all = liveTakes(state);
        return switchTake(state, context, { take: all[Math.floor(random() * all.length)]?.id ?? "" });
      },
      { onConflict: "overwrite" },
    ),
  // Edits a file as the user does, half the time with a capture that no operation names.
  ({ workspace }, thread, random) => {
    const path = join(workspace.root, fileName(random));
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${random()}`);
    return random() < 0.5 ? workspace.files(thread).capture() : undefined;
  },
  ({ workspace }, _, random) => workspace.collectGarbage(random() < 0.5 ? {} : { turns: 2 }),
];

function fileName(random: () => number): string {
  return ["a", "b", "d/c", "d/e/f", "caf\u00e9", "secret", "d/secret"][Math.floor(random() * 7)] ?? "a";
}

const operationsIn = (bytes: Uint8Array) => linesOf(bytes).filter(({ kind }) => kind === "operation");

test.each(seeds(amount("walks", 2, 20)))(
  "[X12] [L7] stores that exchange bundles of a growing thread in any order have the same operations, byte for byte (RETAKE_SEED=%i)",
  async (seed) => {
    const random = randomFrom(seed);
    const all = ["one", "two", "three"].map((name) => places.open(`${name}-${seed}`));
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
    // Two may not go on from the same point: only one at a time works, and goes on where the last one was.
    let worker = pick(all);
    for (const { workspace } of all) writeFileSync(join(workspace.root, ".gitignore"), "secret\n");
    const thread = await worker.workspace.newThread("growing");
    const sent = [await worker.bundle(thread)];
    for (let step = 0; step < steps; step += 1) {
      await pick(DEEDS)(worker, thread, random);
      if (random() < 0.5) sent.push((await worker.export(thread, { withIgnored: random() < 0.5 })).bytes);
      const to = pick(all);
      // Any bundle, older ones too, may come at any time.
      const done = await to.import(pick(sent));
      expect(done, `step ${step}`).toMatchObject({ kind: "imported", threads: [thread] });
      expect(to.examine(), `step ${step}`).toEqual({ healthy: true, problems: [] });
      if (random() < 0.3) {
        const newest = await worker.bundle(thread);
        sent.push(newest);
        worker = pick(all);
        expect(await worker.import(newest), `step ${step}`).toMatchObject({ kind: "imported" });
      }
    }
    const newest = await worker.bundle(thread);
    const expected = operationsIn(newest);
    for (const place of all) {
      expect(await place.import(newest)).toMatchObject({ kind: "imported" });
      expect(await place.import(newest)).toMatchObject({ operations: 0 });
      expect(operationsIn(await place.bundle(thread))).toEqual(expected);
      expect(place.examine()).toEqual({ healthy: true, problems: [] });
    }
  },
);
