/** Every example of every help text, as it stands there. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../packages/cli/src/commands.ts";
import { TestWorld } from "../packages/cli/src/testing/test-world.ts";
import { words } from "../packages/tui/src/text/words.ts";
import { MAIN } from "../testing/main.ts";
import { RetakePlace } from "./testing/retake-place.ts";

const commands = await Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).command));
const place = new RetakePlace();
const bin = join(place.folder, "bin");
const saved = join(place.folder, "saved");

/** The state that the examples assume: turns 1 to 3, a take, a second thread, a snapshot, and an undone turn. */
const PREPARED = [
  'retake run --yes "write notes.txt: first idea"',
  "retake rename --thread 'write notes.txt: first idea' 'write notes.txt: first idea' notes",
  'retake run --yes "append notes.txt: second idea"',
  'retake run --yes "write plan.txt: a plan"',
  "retake export --format toml --output retake.toml",
  "retake snapshot first-plan",
  "retake branch 2",
  'retake run --yes "write other.txt: another way"',
  "retake switch main",
  'retake run --yes "write late.txt: too late"',
  "retake run --new hello",
  "retake rename hello scratch",
  "retake switch notes",
  "retake undo",
];

function shell(line: string) {
  return spawnSync("/bin/sh", ["-c", line], { cwd: place.root, encoding: "utf8", env: environment(), input: "" });
}

function environment(): NodeJS.ProcessEnv {
  return { ...place.environment, PATH: `${bin}:${process.env["PATH"]}`, EDITOR: "true", TERM: "dumb" };
}

beforeAll(async () => {
  mkdirSync(bin);
  writeFileSync(join(bin, "retake"), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  chmodSync(join(bin, "retake"), 0o755);
  for (const line of PREPARED) expect(await typed(line), line).toMatchObject({ status: 0 });
  copy(place.folder, saved);
});
afterAll(() => rmSync(place.folder, { recursive: true, force: true }));

/** With times and modes: captures and the doctor look at them. */
function copy(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const each of ["home", "work"]) rmSync(join(to, each), { recursive: true, force: true });
  expect(spawnSync("cp", ["-a", join(from, "home"), join(from, "work"), to])).toMatchObject({ status: 0 });
}

/** A line that needs no shell is run in this process, which is quicker. */
async function typed(line: string): Promise<{ status: number | null; stderr: string }> {
  if (!/^retake [^|>$;&]*$/.test(line)) return shell(line);
  return new TestWorld({ environment: environment(), directory: place.root }).run(...words(line).slice(1));
}

/** They go on until they are ended. */
const SERVERS = ["serve", "web", "sync-server"];

describe("[F64] the examples of the help", () => {
  test.each(commands)("$name: there are two or more, and each works", async ({ name, examples }) => {
    expect(examples.length).toBeGreaterThanOrEqual(2);
    for (const [line, about] of examples) {
      expect(about).not.toBe("");
      copy(saved, place.folder);
      if (SERVERS.includes(name) && !line.endsWith(" invite")) await served(line);
      else {
        const { status, stderr } = await typed(line);
        expect(status, `${line}\n${stderr}`).toBe(0);
      }
    }
  });

  test("every option of every command says what it does, and what its value is", () => {
    for (const { name, options = {} } of commands)
      for (const [option, { type, about, value, choices }] of Object.entries(options)) {
        expect(about, `${name} --${option}`).toMatch(/^\S.{8}/);
        if (type === "string") expect(value ?? choices, `${name} --${option}`).toBeDefined();
      }
  });
});

async function served(line: string): Promise<void> {
  const child = spawn("/bin/sh", ["-c", `exec ${line}`], { cwd: place.root, env: environment() });
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  expect(String(said), line).toContain("http://");
  child.kill("SIGTERM");
  const [status] = (await once(child, "exit")) as [number];
  expect(status, line).toBe(0);
}
