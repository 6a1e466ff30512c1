import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { amount, SEED } from "../testing/budget.ts";
import type { Acknowledged } from "./processes/acknowledged.ts";
import { type Busy, busyCommands } from "./processes/busy-commands.ts";
import { logOf } from "./processes/log-of.ts";
import { RetakePlace } from "./testing/retake-place.ts";
import { storeProblems } from "./testing/store-problems.ts";
import { readFiles } from "./walk/walked-files.ts";

const commands = amount("commands", 8, 150);

let place: RetakePlace;
beforeEach(() => {
  place = new RetakePlace();
});
afterEach(() => place.remove());

describe("several processes at once", () => {
  test("[L4] [S8] two on one thread lose nothing", async () => {
    const thread = await newThread(place.root);
    const [one, two] = await work(["one", "two"].map((label) => ({ root: place.root, thread, label })));
    expectAllKept(thread, [one, two]);
    expect(notes(thread)).toEqual([]);
  });

  test("[L4] [X5] four on two threads of one workspace lose nothing, and none takes away what another wrote", async () => {
    const threads = [await newThread(place.root), await newThread(place.root)] as const;
    const workers = ["a", "b", "c", "d"].map((label, index) => ({
      root: place.root,
      label,
      thread: threads[index % 2] as string,
    }));
    const [a, b, c, d] = await work(workers);
    expectAllKept(threads[0], [a, c]);
    expectAllKept(threads[1], [b, d]);
    for (const [index, label] of ["a", "b", "c", "d"].entries())
      await expectOwnFile(threads[index % 2] as string, label);
  });

  test("[L4] two in two workspaces of one store never wait for one another, and lose nothing", async () => {
    const other = join(place.folder, "other");
    mkdirSync(other);
    const threads = [await newThread(place.root), await newThread(other)] as const;
    const [one, two] = await work([
      { root: place.root, thread: threads[0], label: "one" },
      { root: other, thread: threads[1], label: "two" },
    ]);
    expectAllKept(threads[0], [one]);
    expectAllKept(threads[1], [two]);
    for (const { errors } of [one, two]) expect(errors.filter(({ code }) => code === "busy")).toEqual([]);
    for (const thread of threads) expect(notes(thread)).toEqual([]);
  });
});

async function newThread(root: string): Promise<string> {
  const { answer, status } = await place.call(["run", "Say hello.", "--new"], root);
  expect(status).toBe(0);
  return answer["thread_id"];
}

/** Lets all work until they are done. Nothing that they say may speak of a database. */
async function work(
  workers: readonly Omit<Busy, "seed">[],
): Promise<Acknowledged[] & [Acknowledged, Acknowledged, Acknowledged, Acknowledged]> {
  const said = await Promise.all(
    workers.map((worker, index) => busyCommands(place, { ...worker, seed: SEED + index }, commands)),
  );
  expect(storeProblems(place)).toEqual([]);
  return said as Acknowledged[] & [Acknowledged, Acknowledged, Acknowledged, Acknowledged];
}

/** Every change that was acknowledged is in the log, and the log is all there is. */
function expectAllKept(thread: string, all: readonly Acknowledged[]): void {
  const { operations, present, folded } = logOf(place, thread);
  const ids = new Set(operations.map(({ id }) => id));
  const ended = new Set(operations.filter(({ kind }) => kind === "turn-finished").map(({ turn_id }) => turn_id));
  for (const { operations: made, turns, commands: ran, errors } of all) {
    expect(ran.length).toBe(commands);
    expect(made.filter((id) => !ids.has(id))).toEqual([]);
    expect(turns.filter((turn) => !ended.has(turn))).toEqual([]);
    for (const { code, message } of errors) {
      expect(["busy", "conflict", "not-found", "agent-running", "stale-version"], message).toContain(code);
      expect(message).toMatch(/Nothing was changed|nothing was|There is no/i);
    }
    for (const { exit, args } of ran) expect({ args, exit }).toMatchObject({ exit: expect.toBeOneOf([0, 1, 3, 4]) });
  }
  expect(folded).toBe(present);
}

/** Notes of outside edits. Nobody made any, so a note means that files and records had differed. */
function notes(thread: string): string[] {
  return logOf(place, thread).operations.flatMap(({ id, kind }) => (kind === "files-edited" ? [id] : []));
}

/** A file that only one process writes matches the conversation of its thread. */
async function expectOwnFile(thread: string, label: string): Promise<void> {
  const { answer } = await place.call(["entries", "--thread", thread]);
  const written = (answer["entries"] as { content: string; turn_id?: string }[]).flatMap(({ content, turn_id }) => {
    const [, value] = (turn_id && new RegExp(`^write ${label}\\.txt: (.*)$`).exec(content)) || [];
    return value === undefined ? [] : [value];
  });
  expect(readFiles(place.root)[`${label}.txt`]).toBe(written.at(-1));
}
