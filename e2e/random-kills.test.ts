import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { acknowledged } from "./processes/acknowledged.ts";
import { type Answer, RetakePlace } from "./testing/retake-place.ts";
import { storeProblems } from "./testing/store-problems.ts";
import { readFiles } from "./walk/walked-files.ts";

const kills = Number(process.env["RETAKE_KILLS"] ?? (process.env["RETAKE_LONG"] === undefined ? 8 : 300));
const BUSY = fileURLToPath(new URL("./processes/busy-process.ts", import.meta.url));

describe("a busy process that is killed at any time", () => {
  test(`[S8] [X9] [L9] loses no change that it acknowledged (${kills} kills)`, async () => {
    const place = new RetakePlace();
    try {
      const { thread_id: thread } = (await place.call(["run", "write busy.txt: first", "--new", "--yes"])).answer;
      let lost = 0;
      for (let round = 0; round < kills; round += 1) {
        const output = await killedAfter(place, thread, round);
        const { operations, turns } = acknowledged(output);
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
  }, 3_600_000);
});

/** Kills the process some time after it has said that it did something, at another time in each round. */
function killedAfter(place: RetakePlace, thread: string, round: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BUSY, thread, "busy", String(round + 1), "1000"], {
      cwd: place.root,
      env: place.environment,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    let timer: NodeJS.Timeout | undefined;
    child.stdout.on("data", (chunk) => {
      output += chunk;
      const done = output.split("\n").filter((line) => line.includes('"exit"')).length;
      if (done > round % 4) timer ??= setTimeout(() => child.kill("SIGKILL"), Math.random() * 150);
    });
    child.on("error", reject);
    child.on("close", () => {
      clearTimeout(timer);
      resolve(output);
    });
  });
}

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
