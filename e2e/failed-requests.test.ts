/**
 * Lets requests to a server fail at their system calls, one after the other. Without RETAKE_LONG a few of each, spread
 * evenly; with it every call on a file.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { spread } from "../packages/workspace/src/testing/strace.ts";
import { amount } from "../testing/budget.ts";
import { attachingWorks, type Point } from "./failures/attached-strace.ts";
import { causeOfDeath } from "./failures/cause-of-death.ts";
import { type Asked, FailingPlace, type Shape, shapeOf } from "./failures/failing-place.ts";

const most = amount("points", 8, Number.POSITIVE_INFINITY);
const works = await attachingWorks();
if (!works) console.warn("SKIPPED: failures of a running server need strace, which is not here or may not attach.");

const REQUESTS: readonly Asked[] = [
  { name: "undo", send: (at) => at.client().undo(at.thread), back: (at) => at.client().redo(at.thread) },
  { name: "patch-undo", send: (at) => at.client().patchUndo(at.thread), back: (at) => at.client().redo(at.thread) },
  {
    name: "restore",
    send: (at) => at.client().restoreSnapshot(at.snapshot, { on_conflict: "overwrite" }),
    back: (at) => at.client().undo(at.thread),
  },
  {
    name: "retry",
    send: (at) => at.client().retry(at.thread, { approve: "all" as const }),
    // Taking a retry back brings the turn back that it took the place of.
    back: (at) => at.client().undo(at.thread),
  },
];

describe.skipIf(!works)("a request that fails at any system call", () => {
  let place: FailingPlace;
  const begin = async () => {
    place = new FailingPlace();
    await place.prepare();
  };
  const beginAnew = async () => {
    await place.served.remove();
    await begin();
  };
  beforeEach(begin);
  afterEach(() => place.served.remove());

  for (const asked of REQUESTS)
    test(`[P2] [P3] ${asked.name} leaves conversation, files and threads as they were, and can be asked for again`, async () => {
      const points = await place.points(asked);
      expect(await place.send(asked)).toMatchObject({ kind: "done" });
      const after = shapeOf(await place.look());
      await asked.back(place);
      const outcomes: Record<string, number> = {};
      const problems: string[] = [];
      for (const [index, point] of spread(points, most).entries()) {
        // Every attempt adds to the state that is compared.
        if (index % 30 === 29) await beginAnew();
        try {
          let came = await failOnce(asked, point, after);
          if (came === NOT_MET) {
            // Some calls are made only by the first request at a place, as the one was that they were seen in.
            await beginAnew();
            came = await failOnce(asked, point, after);
          }
          outcomes[came] = (outcomes[came] ?? 0) + 1;
        } catch (error) {
          problems.push(`at ${point.text} (${point.ordinal} of thread ${point.thread}): ${explained(error)}`);
          // A failed check leaves the place in an unknown state; the other points need a new place.
          await beginAnew();
        }
      }
      console.log(`${asked.name}: ${points.length} points, ${JSON.stringify(outcomes, null, 2)}`);
      expect(problems).toEqual([]);
    });

  async function failOnce(asked: Asked, point: Point, after: Shape): Promise<string> {
    const before = await place.look();
    const { outcome, met } = await place.sendFailing(asked, point);
    const { end, errors } = place.served;
    if (outcome.kind === "died") {
      // Node cannot go on where its own pipes and events fail; nothing else may end the server.
      expect(met, errors).toMatch(/^\w+\(\d+<(pipe|anon_inode|socket):/);
      await place.served.start();
    }
    if (outcome.kind === "lost") await place.served.turnsEnded(place.thread);
    // This request needs the workspace, so it waits for the lost one, or cleans up after the process that ended.
    if (outcome.kind === "died" || outcome.kind === "lost") await place.client().undo(place.thread, { dry_run: true });
    const seen = await place.look();
    if (outcome.kind === "failed") {
      expect(seen).toEqual(before);
      expect([409, 422, 424, 500]).toContain(outcome.status);
      // Nothing was damaged, and nothing is half done: the disk failed for a moment.
      expect(outcome.code, outcome.message).not.toMatch(/^(failed|damaged|unfinished)$/);
      expect(outcome.message).toMatch(/not changed|Nothing (was|is)|No file was|left as it is/);
    }
    const undone = outcome.kind === "failed" || JSON.stringify(seen) === JSON.stringify(before);
    const last = undone ? await place.send(asked) : outcome;
    if (undone) expect(last).toMatchObject({ kind: "done" });
    const kept = last.kind === "done" ? last.kept : [];
    const failed = await place.lastTurnFailed();
    if (!failed) expect(without(kept, shapeOf(await place.look()))).toEqual(without(kept, after));
    await asked.back(place);
    // The request can be taken back to the byte, whatever its outcome.
    expect(without(kept, shapeOf(await place.look()))).toEqual(without(kept, shapeOf(before)));
    if (met === undefined) return NOT_MET;
    if (outcome.kind === "died") return `died: ${causeOfDeath(end, errors, met)}`;
    if (outcome.kind === "failed") return `${outcome.status} ${outcome.code}`;
    return failed ? `${outcome.kind}, and its turn met the failure` : outcome.kind;
  }
});

const NOT_MET = "not met";

/** With both sides of a comparison: the place is gone when somebody looks. */
function explained(error: unknown): string {
  const { message, actual, expected } = error as Error & { readonly actual?: unknown; readonly expected?: unknown };
  return actual === undefined ? message : `${message}\n${JSON.stringify(actual)}\n${JSON.stringify(expected)}`;
}

/**
 * Leaves out the files that a capture could not read: they are kept as they are, and named. A turn that writes to one of
 * them replaces it instead of creating it, and says so.
 */
function without(paths: readonly string[], { files, entries }: Shape): Shape {
  return {
    entries: entries.filter(([, content]) => !paths.some((path) => content.includes(path))),
    files: Object.fromEntries(Object.entries(files).filter(([path]) => !paths.includes(path))),
  };
}
