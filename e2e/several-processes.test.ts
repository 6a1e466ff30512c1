import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Acknowledged, acknowledged } from "./processes/acknowledged.ts";
import { logOf } from "./processes/log-of.ts";
import { RetakePlace } from "./testing/retake-place.ts";
import { storeProblems } from "./testing/store-problems.ts";
import { readFiles } from "./walk/walked-files.ts";

const commands = Number(process.env["RETAKE_COMMANDS"] ?? (process.env["RETAKE_LONG"] === undefined ? 8 : 150));
const BUSY = fileURLToPath(new URL("./processes/busy-process.ts", import.meta.url));
/** Of a deadlock, nobody would ever hear. */
const PATIENCE_MS = 60_000 + commands * 20_000;

let place: RetakePlace;
beforeEach(() => {
  place = new RetakePlace();
});
afterEach(() => place.remove());

interface Worker {
  readonly root: string;
  readonly thread: string;
  readonly label: string;
}

describe("several processes at once", () => {
  test(
    "[L4] [S8] two on one thread lose nothing",
    async () => {
      const thread = await newThread(place.root);
      const [one, two] = await work(["one", "two"].map((label) => ({ root: place.root, thread, label })));
      expectAllKept(thread, [one, two]);
      expect(notes(thread)).toEqual([]);
    },
    PATIENCE_MS * 2,
  );

  test(
    "[L4] [X5] four on two threads of one workspace lose nothing, and none takes away what another wrote",
    async () => {
      const threads = [await newThread(place.root), await newThread(place.root)] as const;
      const workers = ["a", "b", "c", "d"].map((label, index) => ({
        ...{ root: place.root, label },
        thread: threads[index % 2] as string,
      }));
      const [a, b, c, d] = await work(workers);
      expectAllKept(threads[0], [a, c]);
      expectAllKept(threads[1], [b, d]);
      for (const [index, label] of ["a", "b", "c", "d"].entries())
        await expectOwnFile(threads[index % 2] as string, label);
    },
    PATIENCE_MS * 2,
  );

  test(
    "[L4] two in two workspaces of one store never wait for one another, and lose nothing",
    async () => {
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
    },
    PATIENCE_MS * 2,
  );
});

async function newThread(root: string): Promise<string> {
  const { answer, status } = await place.call(["run", "Say hello.", "--new"], root);
  expect(status).toBe(0);
  return answer["thread_id"];
}

/** Lets all work until they are done. Nothing that they say may speak of a database. */
async function work(
  workers: readonly Worker[],
): Promise<Acknowledged[] & [Acknowledged, Acknowledged, Acknowledged, Acknowledged]> {
  const said = await Promise.all(workers.map((worker, index) => busy(worker, index + 1)));
  expect(storeProblems(place)).toEqual([]);
  return said as Acknowledged[] & [Acknowledged, Acknowledged, Acknowledged, Acknowledged];
}

function busy({ root, thread, label }: Worker, seed: number): Promise<Acknowledged> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BUSY, thread, label, String(seed), String(commands)], {
      cwd: root,
      env: place.environment,
      timeout: PATIENCE_MS,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.on("error", reject);
    child.on("close", (status) => {
      try {
        expect({ status, errors }).toEqual({ status: 0, errors: expect.not.stringMatching(/locked|SQLITE|Error/) });
        expect(output).not.toMatch(/database is locked|SQLITE/);
        resolve(acknowledged(output));
      } catch (error) {
        reject(error);
      }
    });
  });
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
      expect(["busy", "conflict", "not-found", "agent-running", "stale-version"]).toContain(code);
      expect(message).toMatch(/Nothing was changed|nothing was|There is no/i);
    }
    for (const { exit, args } of ran) expect({ args, exit }).toMatchObject({ exit: expect.toBeOneOf([0, 1, 3, 4]) });
  }
  expect(folded).toBe(present);
}

/** Edits from outside that were noted, where nobody made any: files and records would have been apart. */
function notes(thread: string): string[] {
  return logOf(place, thread).operations.flatMap(({ id, kind }) => (kind === "files-edited" ? [id] : []));
}

/** A file that one process alone writes is what the conversation of its thread says. */
async function expectOwnFile(thread: string, label: string): Promise<void> {
  const { answer } = await place.call(["entries", "--thread", thread]);
  const written = (answer["entries"] as { content: string; turn_id?: string }[]).flatMap(({ content, turn_id }) => {
    const [, value] = (turn_id && new RegExp(`^write ${label}\\.txt: (.*)$`).exec(content)) || [];
    return value === undefined ? [] : [value];
  });
  expect(readFiles(place.root)[`${label}.txt`]).toBe(written.at(-1));
}
