/**
 * Kills commands at their system calls, one after the other. Without RETAKE_LONG a few of each, spread evenly; with it
 * every one that changes something on disk.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Call, spread, straceWorks } from "../packages/workspace/src/testing/strace.ts";
import { CrashPlace, FIRST_SNAPSHOT, FIRST_TURN, type Seen } from "./crash/crash-place.ts";
import { keptOf } from "./crash/kept-of.ts";

const long = process.env["RETAKE_LONG"] !== undefined;
const most = Number(process.env["RETAKE_POINTS"] ?? (long ? Number.POSITIVE_INFINITY : 4));
const works = straceWorks();
if (!works) console.warn("SKIPPED: the crash tests need strace, which is not here and could not be installed.");

/** Each leads from one state to another, all at once; `first` is done before. The short run tries those that are `often` killed. */
const COMMANDS: readonly { args: readonly string[]; first?: readonly string[]; often?: true }[] = [
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
  { args: ["restore", FIRST_SNAPSHOT] },
  { args: ["settings", "draft", "typed"] },
  { args: ["reset"] },
];

describe.skipIf(!works)("killed at any system call", () => {
  // Two at a time: each has a place of its own.
  let places: CrashPlace[];
  beforeAll(async () => {
    places = [new CrashPlace(), new CrashPlace()];
    for (const place of places) await place.prepare();
  }, 300_000);
  afterAll(() => {
    for (const place of places) place.remove();
  });

  for (const { args, first } of COMMANDS.filter(({ often }) => long || often))
    test(`[X9] [L4] retake ${args.join(" ")} is done or not done, conversation and files alike`, async () => {
      const sides: { before: Seen; after: Seen }[] = [];
      for (const place of places) {
        place.begin();
        if (first) await place.must(first);
        place.save();
        const before = await place.look();
        place.reset();
        await place.must(args);
        sides.push({ before, after: await place.look() });
      }
      expect(sides[0]?.after).not.toEqual(sides[0]?.before);
      const outcomes = { before: 0, after: 0 };
      await eachPoint(args, async (place, call) => {
        const { before, after } = sides[places.indexOf(place)] as (typeof sides)[number];
        expect((await place.kill(args, call)).killed).toBe(true);
        const seen = await place.look();
        await place.tryUndo();
        expect(await place.look()).toEqual(seen);
        const done = JSON.stringify(seen) === JSON.stringify(after);
        expect(seen).toEqual(done ? after : before);
        outcomes[done ? "after" : "before"] += 1;
      });
      console.log(`retake ${args.join(" ")}: ${JSON.stringify(outcomes)}`);
      expect(outcomes.before).toBeGreaterThan(0);
    }, 7_200_000);

  const prompt = "write notes.txt: third\\n\nrun echo more >> moved.txt; rm src/file-0.txt\nSay something.";
  for (const command of ["run", "retry"])
    test(`[X9] [S8] [L9] [P3] retake ${command} keeps what it acknowledged, and can be taken back exactly`, async () => {
      const args = [command, prompt, "--yes"];
      const sides: { before: Seen; kept: Seen }[] = [];
      for (const place of places) {
        place.begin();
        place.save();
        const before = await place.look();
        // A retry takes the last turn back first, and is done with that and its own prompt at once.
        if (command === "retry") await place.must(["undo"]);
        sides.push({ before, kept: await place.look() });
      }
      const outcomes = { "not-begun": 0, begun: 0, finished: 0 };
      await eachPoint(args, async (place, call) => {
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
    }, 7_200_000);

  async function eachPoint(args: readonly string[], check: (place: CrashPlace, call: Call) => Promise<void>) {
    const [one] = places as [CrashPlace];
    const queue = spread(await one.points(args), most).values();
    await Promise.all(
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
  }
});
