/**
 * Retake is killed while a command runs, confined or not, and the user edits files before the turn, after the kill and
 * after the next start of Retake. Every byte of the user's stays, and nothing of the command's remains.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { findConfinement } from "../packages/runtime/src/tools/confine/find-confinement.ts";
import { amount, SEED } from "../testing/budget.ts";
import { MAIN } from "../testing/main.ts";
import { randomOf } from "./testing/random-of.ts";
import { RetakePlace } from "./testing/retake-place.ts";
import { storeProblems } from "./testing/store-problems.ts";
import { readFiles } from "./walk/walked-files.ts";

const kills = amount("kills", 6, 300);

/** Writes new files, the user's own and one that it deletes, until it is killed, also from a process that left its session. */
const COMMAND = [
  "rm -f gone.txt; echo $$ > pid.txt",
  "(setsid sh -c 'while :; do echo left >> left.txt; done' &)",
  "i=0; while :; do i=$((i+1)); echo tool $i > tool-$((i%5)).txt; echo tool $i > changed.txt; done",
].join("; ");

describe("Retake is killed while a command runs", () => {
  test(`[F13] [F21] [L9] the command ends with it, and no byte of the user's is lost or taken for the agent's (${kills} kills, seed ${SEED})`, async () => {
    const place = new RetakePlace();
    const found: Record<string, number> = {};
    try {
      for (let round = 0; round < kills; round += 1) {
        const how = await killedRound(place, round);
        found[how] = (found[how] ?? 0) + 1;
        if (round % 20 === 0) expect(storeProblems(place)).toEqual([]);
      }
      expect(storeProblems(place)).toEqual([]);
      console.log(`${kills} kills, seed ${SEED}: ${JSON.stringify(found)}`);
      for (const how of confinable ? ["confined", "not confined"] : ["not confined"])
        expect(found[how]).toBeGreaterThan(kills / 4);
    } finally {
      place.remove();
    }
  });
});

const CALLS = {
  // Holds the output open, so that the end of the command is recorded only some time after it.
  "after the end of a command": { name: "bash", input: { command: "(setsid sleep 3 &); echo tool > made.txt" } },
  // Its own model answers with the second step of the script: it thinks.
  "while a helper thinks": { name: "agent", input: { task: "help", may_write: true } },
  "in a call of an MCP server": { name: "test__wait", input: { path: "made.txt" } },
};
const SERVER = fileURLToPath(new URL("../packages/runtime/src/mcp/testing/server-program.ts", import.meta.url));

test.each(Object.entries(CALLS))(
  "[F21] [L9] Retake is killed %s, and no later change of the user's is taken for the agent's",
  async (_, call) => {
    const place = new RetakePlace();
    try {
      const write = (name: string, text: string) => writeFileSync(join(place.root, name), text);
      write("mine.txt", "mine\n");
      const script = join(place.folder, "script.json");
      const made = { name: "bash", input: { command: "echo tool > made.txt" } };
      const steps = [{ tool_calls: [call, made] }, { delay_ms: 60_000, text: "Done." }];
      writeFileSync(script, JSON.stringify({ turns: [{ steps }] }));
      const words = [process.execPath, SERVER].map((each) => JSON.stringify(each));
      mkdirSync(join(place.home, "config"), { recursive: true });
      writeFileSync(
        join(place.home, "config", "config.toml"),
        `[mcp.test]\ncommand = ${words[0]}\nargs = [${words[1]}]\n`,
      );
      const outputs = join(place.home, "state", "outputs");
      const marks = () => namesIn(outputs).filter((name) => name.endsWith(".ended"));
      const env = { ...place.environment, RETAKE_SCRIPT: script };
      const args = [MAIN, "run", "go", "--approve", "all"];
      const child = spawn(process.execPath, args, { cwd: place.root, env, stdio: "ignore" });
      const ended = new Promise((resolve) => child.on("close", resolve));
      while (!existsSync(join(place.root, "made.txt"))) await delay(5);
      await delay(100);
      child.kill("SIGKILL");
      await ended;
      // On a slow machine the call may have been recorded before the kill: then nothing ran, and nothing is marked.
      for (let left = 6000; left > 0 && marks().length === 0; left -= 1) await delay(10);
      write("mine.txt", "edited\n");
      write("later.txt", "later\n");
      expect((await place.call(["undo"])).status).toBe(0);
      expect(readFiles(place.root)).toEqual({ "mine.txt": "edited\n", "later.txt": "later\n" });
      expect(marks()).toEqual([]);
      expect(storeProblems(place)).toEqual([]);
    } finally {
      place.remove();
    }
  },
);

/** Returns when the kill came: before the command, or while it ran, confined or not. */
async function killedRound(place: RetakePlace, round: number): Promise<string> {
  const random = randomOf(SEED + round);
  const at = (name: string) => join(place.root, name);
  const write = (name: string, text: string) => writeFileSync(at(name), `${text} of round ${round}\n`);
  for (const name of readdirSync(place.root)) rmSync(at(name), { recursive: true });

  for (const name of ["gone.txt", "changed.txt", "before.txt"]) write(name, "before");
  const before = readFiles(place.root);
  const isConfined = confinable && round % 2 === 0;
  const approving = isConfined ? ["--yes"] : ["--approve", "all"];
  await killInside(place, ["run", `run ${COMMAND}`, "--new", ...approving], random);
  const met = existsSync(at("pid.txt")) ? (isConfined ? "confined" : "not confined") : "before the command";

  // Files of the user's own, one that the command wrote too, and new ones; before and after the next start.
  const mine: Record<string, string> = {};
  const edit = (name: string, text: string) => {
    if (random() < 0.4) return;
    write(name, text);
    mine[name] = readFiles(place.root)[name] ?? "";
  };
  for (const name of ["before.txt", "changed.txt", "mine.txt"]) edit(name, "mine");
  const looks = [["status"], ["entries"], ["history"], ["undo", "--dry-run"]];
  await place.call(looks[Math.floor(random() * looks.length)] ?? []);
  for (const name of ["later.txt", "mine.txt"]) edit(name, "later");

  const { answer } = await place.call(["history"]);
  const undone = answer["can_undo"] === true ? await place.call(["undo"]) : undefined;
  // The user's files stand there as he wrote them; all others are as they were before the turn.
  expect({ round, met, status: undone?.status ?? 0, files: readFiles(place.root), undone }).toMatchObject({
    round,
    met,
    status: 0,
    files: { ...before, ...mine },
  });
  expect(Object.keys(readFiles(place.root)).sort()).toEqual(Object.keys({ ...before, ...mine }).sort());
  return met;
}

/** Commands run confined where that is possible: elsewhere `--yes` denies them. */
const confinable = (await findConfinement(process.env)).kind !== "none";

/** Nine of ten kills come while the command runs, one before. Waits until no process of the command is left. */
async function killInside(place: RetakePlace, args: readonly string[], random: () => number): Promise<void> {
  const begun = () => existsSync(join(place.root, "pid.txt"));
  const isInside = random() < 0.9;
  const after = random() * 300;
  const since = Date.now();
  await place.spawnBeside(args, {
    onStart: async (child) => {
      while (isInside && !begun() && child.exitCode === null) await delay(5);
      setTimeout(() => child.kill("SIGKILL"), after);
    },
  });
  // The mark of a round before this one may come late. The name begins with the turn's id, and that with its time.
  const isOfThisRound = (name: string) => Number.parseInt(name.replace("-", "").slice(0, 12), 16) >= since;
  const marks = () => namesIn(join(place.home, "state", "outputs")).filter((name) => name.endsWith(".ended"));
  while (begun() && !marks().some(isOfThisRound)) await delay(10);
}

function namesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}
