/**
 * Kills commands at their system calls, one after the other. Without RETAKE_LONG a few of each, spread evenly; with it
 * every one that changes something on disk.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Call, spread, straceWorks } from "../packages/workspace/src/testing/strace.ts";
import { amount, LONG } from "../testing/budget.ts";
import { backupProblems } from "./crash/backup-problems.ts";
import { CrashPlace, type Seen } from "./crash/crash-place.ts";
import { keptOf } from "./crash/kept-of.ts";
import {
  aThread,
  bundles,
  FIRST_SNAPSHOT,
  FIRST_TURN,
  NEWER_BUNDLE,
  OLD_BUNDLE,
  OTHER_BUNDLE,
  oldPrivateStore,
  oldStore,
  type Start,
} from "./crash/starts.ts";

const most = amount("points", 4, Number.POSITIVE_INFINITY);
const works = straceWorks();
if (!works) console.warn("SKIPPED: the crash tests need strace, which is not here and could not be installed.");

/** A command that leads from one state to another, all at once. */
interface Killed {
  readonly args: readonly string[];
  readonly start?: Start;
  /** The name of an unusual start. */
  readonly where?: string;
  /** A command before it. */
  readonly first?: readonly string[];
  /** Also in the short run. */
  readonly often?: true;
  /** No more points than that. */
  readonly limit?: number;
}

const COMMANDS: readonly Killed[] = [
  { args: ["undo"], often: true },
  { args: ["redo"], first: ["undo", "2"], often: true },
  { args: ["branch", "1.0"], often: true },
  { args: ["edit", "1.0", "--content", "edited"], often: true },
  { args: ["undo", "2", "--keep-prompt"] },
  { args: ["undo", "--step"], first: ["branch", "1.0"] },
  { args: ["undo", "3", "--step"], first: ["branch", "1.0"] },
  { args: ["revert", "2"] },
  { args: ["switch", "main_take_1"] },
  { args: ["delete", "main"] },
  { args: ["jump", FIRST_TURN] },
  // The user has changed files since: without a policy it is refused.
  { args: ["restore", FIRST_SNAPSHOT, "--on-conflict", "overwrite"] },
  { args: ["settings", "draft", "typed"] },
  { args: ["reset"] },
  // The first command that opens a store of 0.1.0 converts it.
  { args: ["undo"], start: oldPrivateStore, where: " on a private store of 0.1.0", often: true },
  // Its conversion makes thousands of writes that differ in nothing but the page.
  { args: ["undo", "--thread", "files"], start: oldStore, where: " on a store of 0.1.0", limit: 300 },
];

const IMPORTED: readonly { file: string; often?: true }[] = [
  { file: NEWER_BUNDLE, often: true },
  { file: OTHER_BUNDLE },
  { file: OLD_BUNDLE },
];

describe.skipIf(!works)("killed at any system call", () => {
  // Two at a time in a long run, each in a place of its own. For a few points, making a second place takes longer than it saves.
  let places: CrashPlace[];
  beforeAll(() => {
    places = Array.from({ length: LONG ? 2 : 1 }, () => new CrashPlace());
  });
  afterAll(() => {
    for (const place of places) place.remove();
  });

  for (const { args, start = aThread, where = "", first, limit } of COMMANDS.filter(({ often }) => LONG || often))
    test(`[X9] [L4] [S3] retake ${args.join(" ")}${where} is done or not done, conversation and files alike`, async () => {
      const sides = await bothSides(args, start, first);
      const outcomes = { before: 0, after: 0 };
      await eachPoint(args, limit, async (place, call) => {
        const side = await sideAfterKill(place, args, call, sides);
        await place.tryUndo();
        expect(await place.look()).toEqual(sides.get(place)?.[side]);
        expect(backupProblems(place.stores)).toEqual([]);
        outcomes[side] += 1;
      });
      console.log(`retake ${args.join(" ")}${where}: ${JSON.stringify(outcomes)}`);
      expect(outcomes.before).toBeGreaterThan(0);
    });

  for (const { file } of IMPORTED.filter(({ often }) => LONG || often))
    test(`[X9] [X12] importing ${file} is done or not done, and importing it again adds only what is missing`, async () => {
      const args = ["import", file];
      const sides = await bothSides(args, bundles);
      const outcomes = { before: 0, after: 0 };
      await eachPoint(args, undefined, async (place, call) => {
        const side = await sideAfterKill(place, args, call, sides);
        if (file === OLD_BUNDLE && side === "after") {
          const seen = await place.look();
          await expect(place.must(args)).rejects.toThrow("This thread is here already");
          expect(await place.look()).toEqual(seen);
        } else {
          const { operations } = await place.must(args);
          expect(operations === 0).toBe(side === "after");
          expect(await place.look()).toEqual(sides.get(place)?.after);
        }
        expect((await place.must(["doctor"]))["problems"]).toEqual([]);
        outcomes[side] += 1;
      });
      console.log(`retake import ${file}: ${JSON.stringify(outcomes)}`);
      expect(outcomes.before).toBeGreaterThan(0);
    });

  const prompt = "write notes.txt: third\\n\nrun echo more >> moved.txt; rm src/file-0.txt\nSay something.";
  for (const command of ["run", "retry"])
    test(`[X9] [S8] [L9] [P3] retake ${command} keeps what it acknowledged, and can be taken back exactly`, async () => {
      const args = [command, prompt, "--approve", "all"];
      const sides: { before: Seen; kept: Seen }[] = [];
      for (const place of places) {
        await place.begin(aThread);
        place.save();
        const before = await place.look();
        // A retry takes the last turn back first, and is done with that and its own prompt at once.
        if (command === "retry") await place.must(["undo"]);
        sides.push({ before, kept: await place.look() });
      }
      const outcomes = { "not-begun": 0, begun: 0, finished: 0 };
      await eachPoint(args, undefined, async (place, call) => {
        const { before, kept } = sides[places.indexOf(place)] as (typeof sides)[number];
        const { killed, output } = await place.kill(args, call);
        expect(killed).toBe(true);
        await place.tryUndo();
        const seen = await place.look();
        const untouched = JSON.stringify(seen) === JSON.stringify(before);
        const came = untouched ? keptOf(before, seen, prompt, output) : keptOf(kept, seen, prompt, output);
        outcomes[came] += 1;
        if (came === "not-begun") return expect(seen).toEqual(before);
        await place.must(["undo"]);
        expect(await place.look()).toEqual({ ...before, settings: { ...before.settings, draft: prompt } });
      });
      console.log(`retake ${command}: ${JSON.stringify(outcomes)}`);
      expect(outcomes.begun).toBeGreaterThan(0);
    });

  /** The visible state before the command and after it, in each place. */
  async function bothSides(args: readonly string[], start: Start, first?: readonly string[]): Promise<Sides> {
    const sides = new Map<CrashPlace, { before: Seen; after: Seen }>();
    for (const place of places) {
      await place.begin(start);
      if (first) await place.must(first);
      place.save();
      const before = await place.look();
      place.reset();
      await place.must(args);
      const after = await place.look();
      expect(after).not.toEqual(before);
      sides.set(place, { before, after });
    }
    return sides;
  }

  async function sideAfterKill(place: CrashPlace, args: readonly string[], call: Call, sides: Sides) {
    expect((await place.kill(args, call)).killed).toBe(true);
    const seen = await place.look();
    const { before, after } = sides.get(place) as { before: Seen; after: Seen };
    const isLike = (side: Seen) => JSON.stringify(seen) === JSON.stringify(side);
    // The command then makes an imported thread current: a choice of this machine beside the store, which may be lost.
    const notCurrent = { ...before, threads: after.threads };
    if (isLike(after) || (after.threads.length > before.threads.length && isLike(notCurrent))) return "after";
    expect(seen).toEqual(before);
    return "before";
  }

  async function eachPoint(
    args: readonly string[],
    limit: number | undefined,
    check: (place: CrashPlace, call: Call) => Promise<void>,
  ) {
    const [one] = places as [CrashPlace];
    const queue = spread(await one.points(args), Math.min(most, limit ?? most)).values();
    // All end before the first failure is reported: the next test uses the same places.
    const ended = await Promise.allSettled(
      places.map(async (place) => {
        for (const call of queue) {
          place.reset();
          try {
            await check(place, call);
          } catch (error) {
            if (error instanceof Error) error.message = `at ${call.text} (${call.ordinal}): ${error.message}`;
            throw error;
          }
        }
      }),
    );
    for (const each of ended) if (each.status === "rejected") throw each.reason;
  }
});

type Sides = ReadonlyMap<CrashPlace, { readonly before: Seen; readonly after: Seen }>;
