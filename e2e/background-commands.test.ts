/**
 * Commands in the background, with the built package: confined and not, ended with their turn, by an interrupt and by a kill.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findConfinement } from "../packages/runtime/src/tools/confine/find-confinement.ts";
import { MAIN } from "../testing/main.ts";
import { RetakePlace } from "./testing/retake-place.ts";
import { storeProblems } from "./testing/store-problems.ts";
import { readFiles } from "./walk/walked-files.ts";

let place: RetakePlace;
beforeEach(() => {
  place = new RetakePlace();
  writeFileSync(join(place.root, "mine.txt"), "mine\n");
});
afterEach(() => place.remove());

const isConfinable = (await findConfinement(process.env)).kind !== "none";
const modes = [...(isConfinable ? [["--yes"]] : []), ["--approve", "all"]];
const background = (command: string) => ({ name: "bash", input: { command, background: true } });
const has = async (name: string) => {
  while (!existsSync(join(place.root, name))) await delay(20);
};
/** Writes into the user's file, and then again and again into another one until it is ended. */
const WRITES = "echo tool > mine.txt; while :; do date +%N > clock.txt; sleep 0.01; done";
/** A process that left its session does the same. */
const ESCAPES = "(setsid sh -c 'while :; do echo left >> left.txt; sleep 0.01; done' &)";

/** The environment in which the model makes these calls, step by step, and then answers. */
function script(...steps: readonly object[]) {
  const file = join(place.folder, "script.json");
  writeFileSync(file, JSON.stringify({ turns: [{ steps }] }));
  return { ...place.environment, RETAKE_SCRIPT: file };
}

/** The model makes a call, and then thinks: no call runs meanwhile. */
const thinking = (call: object) => script({ tool_calls: [call] }, { delay_ms: 60_000, text: "Done." });

async function results() {
  const { answer } = await place.call(["entries"]);
  const entries = answer["entries"] as { tool_result: { status: string }; content: string; background?: object }[];
  return entries.filter(({ tool_result }) => tool_result !== undefined);
}

/** A turn in a process of its own, with the environment of its script. */
function turn(env: NodeJS.ProcessEnv, args: readonly string[]) {
  const child = spawn(process.execPath, [MAIN, "run", "go", ...args], { cwd: place.root, env, stdio: "ignore" });
  return { child, ended: new Promise<number | null>((resolve) => child.on("close", resolve)) };
}

const looping = () => {
  const clock = join(place.root, "clock.txt");
  return existsSync(clock) ? readFileSync(clock, "utf8") : "";
};

async function isStill(): Promise<boolean> {
  const before = looping();
  await delay(100);
  return looping() === before;
}

test.each(modes)("[X1] [F13] ends with its turn and is undone with it, read meanwhile (%s)", async (...mode) => {
  const calls = [
    [background(`echo ready; ${WRITES}`), background("echo second; exec sleep 300")],
    [
      { name: "bash_output", input: { name: "bash-1", wait_ms: 100 } },
      { name: "bash_output", input: { name: "bash-2" } },
    ],
    [{ name: "bash", input: { command: "while [ ! -s clock.txt ]; do sleep 0.02; done; echo other > other.txt" } }],
    [{ name: "bash_end", input: { name: "bash-2" } }],
  ];
  const env = script(...calls.map((tool_calls) => ({ tool_calls })), { text: "Done." });
  expect(await turn(env, mode).ended).toBe(0);
  expect(await isStill()).toBe(true);
  expect(readFiles(place.root)).toMatchObject({ "mine.txt": "tool\n", "other.txt": "other\n" });
  const said = await results();
  expect(said[0]).toMatchObject({ background: { name: "bash-1", status: "ended", by: "retake" } });
  expect(said.map(({ content }) => content).join("\n")).toMatch(/as bash-1[\s\S]*as bash-2[\s\S]*It has ended/);
  await place.call(["undo"]);
  expect(readFiles(place.root)).toEqual({ "mine.txt": "mine\n" });
  await place.call(["redo"]);
  expect(readFiles(place.root)).toMatchObject({ "mine.txt": "tool\n", "other.txt": "other\n" });
  expect(storeProblems(place)).toEqual([]);
});

test.each(modes)(
  "[F13] [F21] [L9] ends with a kill of Retake, and its changes are the turn's (%s)",
  async (...mode) => {
    // The model thinks while the command runs: no call is running when the kill comes.
    const { child, ended } = turn(thinking(background(`${ESCAPES}; ${WRITES}`)), mode);
    await has("clock.txt");
    await has("left.txt");
    while ((await results())[0]?.tool_result.status !== "completed") await delay(50);
    child.kill("SIGKILL");
    await ended;
    // Made when nothing of the command runs any more.
    const marks = () => readdirSync(join(place.home, "state", "outputs")).filter((name) => name.endsWith(".ended"));
    while (marks().length === 0) await delay(20);
    expect(await isStill()).toBe(true);
    writeFileSync(join(place.root, "later.txt"), "later\n");
    expect((await results())[0]).toMatchObject({ background: { name: "bash-1", status: "ended", by: "kill" } });
    expect((await place.call(["undo"])).status).toBe(0);
    expect(readFiles(place.root)).toEqual({ "mine.txt": "mine\n", "later.txt": "later\n" });
    expect(storeProblems(place)).toEqual([]);
  },
);

test.each(modes)(
  "[F21] [L9] that has ended before Retake is killed owns no file that the user changes after its end (%s)",
  async (...mode) => {
    const ended = { name: "bash_output", input: { name: "bash-1", wait_ms: 60_000 } };
    const env = script(
      { tool_calls: [background("sleep 0.6; echo x > made.txt; echo tool > mine.txt")] },
      { tool_calls: [ended] },
      { delay_ms: 60_000, text: "Done." },
    );
    const { child, ended: killed } = turn(env, mode);
    await has("made.txt");
    while ((await results())[1]?.tool_result.status !== "completed") await delay(50);
    writeFileSync(join(place.root, "mine.txt"), "edited\n");
    child.kill("SIGKILL");
    await killed;
    writeFileSync(join(place.root, "later.txt"), "later\n");
    expect((await place.call(["undo"])).status).toBe(0);
    expect(readFiles(place.root)).toEqual({ "mine.txt": "edited\n", "later.txt": "later\n" });
    expect(readdirSync(join(place.home, "state", "outputs"))).toEqual([]);
    expect(storeProblems(place)).toEqual([]);
  },
);

test("[AG51] ends when the turn is interrupted, before the command that ran it says so", async () => {
  const { child, ended } = turn(thinking(background(WRITES)), ["--approve", "all"]);
  await has("clock.txt");
  child.kill("SIGINT");
  expect(await ended).not.toBe(0);
  expect(await isStill()).toBe(true);
  await place.call(["undo"]);
  expect(readFiles(place.root)).toEqual({ "mine.txt": "mine\n" });
});
