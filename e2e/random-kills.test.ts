import { describe, expect, test } from "vitest";
import { amount, SEED } from "../testing/budget.ts";
import type { Acknowledged } from "./processes/acknowledged.ts";
import { busyCommands } from "./processes/busy-commands.ts";
import { randomOf } from "./testing/random-of.ts";
import { type Answer, RetakePlace } from "./testing/retake-place.ts";
import { storeProblems } from "./testing/store-problems.ts";
import { readFiles } from "./walk/walked-files.ts";

const kills = amount("kills", 8, 300);

describe("a command that is killed at any time, after others", () => {
  test(`[S8] [X9] [L9] loses no change that any of them acknowledged (${kills} kills)`, async () => {
    const place = new RetakePlace();
    try {
      const { thread_id: thread } = (await place.call(["run", "write busy.txt: first", "--new", "--approve", "all"]))
        .answer;
      let lost = 0;
      for (let round = 0; round < kills; round += 1) {
        const { operations, turns } = await killedAfter(place, thread, round);
        await check(place, thread, operations, turns);
        lost += operations.length + turns.length;
        if (round % 20 === 0) expect(storeProblems(place)).toEqual([]);
      }
      console.log(`${kills} kills, ${lost} acknowledged changes`);
      expect(storeProblems(place)).toEqual([]);
      expect(lost).toBeGreaterThan(kills);
    } finally {
      place.remove();
    }
  });
});

/** Kills a command of each round at some time, in the first or after some that ended. */
function killedAfter(place: RetakePlace, thread: string, round: number): Promise<Acknowledged> {
  const seed = SEED + round;
  const random = randomOf(seed);
  const last = 1 + (round % 4);
  return busyCommands(place, { root: place.root, thread, label: "busy", seed }, last + 1, (child, number) => {
    if (number < last) return;
    const timer = setTimeout(() => child.kill("SIGKILL"), random() * LONGEST_COMMAND_MS);
    child.on("close", () => clearTimeout(timer));
  });
}

/** Most commands end within this time on a quiet machine; a command that ends before its kill does no harm. */
const LONGEST_COMMAND_MS = 400;

async function check(place: RetakePlace, thread: string, operations: readonly string[], turns: readonly string[]) {
  const read = async (...args: string[]): Promise<Answer> => {
    const { status, answer, stdout } = await place.call([...args, "--thread", thread]);
    expect({ args, status, stdout }).toMatchObject({ status: 0 });
    return answer;
  };
  await read("undo", "--dry-run");
  const list = (await read("history", "--all", "--limit", "400"))["operations"] as Answer[];
  const ids = new Set(list.map(({ id }) => id));
  expect(operations.filter((id) => !ids.has(id))).toEqual([]);
  const ended = new Set(list.filter(({ kind }) => kind === "turn-finished").map(({ turn_id }) => turn_id));
  expect(turns.filter((turn) => !ended.has(turn))).toEqual([]);
  // Nobody but the agent writes files here: a note of edits from outside would mean that files and records were apart.
  expect(list.filter(({ kind }) => kind === "files-edited")).toEqual([]);
  const { entries } = await read("entries");
  const writes = (entries as Answer[]).flatMap(({ content, role, turn_id }, at) => {
    const [, value] = (role === "User" && turn_id && /^write busy\.txt: (.*)$/.exec(content)) || [];
    const result = (entries as Answer[])
      .slice(at)
      .find((entry) => entry["turn_id"] === turn_id && entry["tool_result"]);
    return value === undefined ? [] : [{ value, ended: result?.["tool_result"].status === "completed" }];
  });
  const on_disk = readFiles(place.root)["busy.txt"];
  const last = writes.findLastIndex((write) => write.ended);
  const possible = writes.slice(Math.max(last, 0)).map(({ value }) => value);
  if (last >= 0) expect(possible).toContain(on_disk);
}
