import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAIN } from "../../../testing/main.ts";
import { TestWorld } from "./testing/test-world.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-bisected-")));
const root = join(folder, "work");
const environment = { ...process.env, RETAKE_HOME: join(folder, "home"), RETAKE_MODEL: undefined };

async function retake(...args: string[]) {
  const { status, stdout, stderr } = await new TestWorld({ environment, directory: root }).run(...args);
  return { status, stdout, stderr };
}

beforeAll(async () => {
  mkdirSync(join(root, "node_modules"), { recursive: true });
  writeFileSync(join(root, ".gitignore"), "node_modules/\n");
  writeFileSync(join(root, "node_modules", "needed.txt"), "needed");
  await retake("run", "--yes", "write a.txt: good");
  await retake("run", "--yes", "write b.txt: good\nwrite a.txt: bad\nwrite c.txt: good");
  await retake("run", "--yes", "write d.txt: good");
  writeFileSync(join(root, "d.txt"), "bad");
  await retake("run", "--yes", "write e.txt: good");
  writeFileSync(join(root, "e.txt"), "changed since");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("retake bisect", () => {
  test("[X11] names the call in the middle of a turn, and its prompt", async () => {
    const { status, stdout, stderr } = await retake("bisect", "! grep -qs bad a.txt");
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `✓ The call #2.1.2 broke it
  in turn #2: write b.txt: good write a.txt: bad write c.txt: good
  retake show 2.1.2 · retake diff 2.1.1 2.1.2 · retake revert 2.1.2
`,
    });
    expect(stderr).toContain("  4 fails\n  1^ succeeds\n");
  });

  test("[X11] names what the user changed between two turns", async () => {
    const { stdout } = await retake("bisect", "--json", "! grep -qs bad d.txt");
    expect(JSON.parse(stdout)).toEqual({ good: "#3", bad: "#4^", runs: expect.any(Array) });
    expect((await retake("bisect", "! grep -qs bad d.txt")).stdout).toContain("retake diff 3 4^");
  });

  test("[X11] passes over points of which the command cannot tell", async () => {
    const { stdout } = await retake(
      "bisect",
      "--json",
      "test -e c.txt && ! test -e d.txt && exit 125; ! test -e d.txt",
    );
    expect(JSON.parse(stdout)).toMatchObject({ good: "#2^", bad: "#3" });
  });

  test("[X11] runs in a copy that has the caches of the workspace, and leaves no copy and no change behind", async () => {
    const places = join(folder, "places");
    const line = `pwd >> ${places}; echo x | tee a.txt > new.txt; test -e node_modules/needed.txt && ! test -e e.txt`;
    expect((await retake("bisect", line)).stdout).toContain("✓ The call #4.1.1 broke it");
    expect(readdirSync(root)).not.toContain("new.txt");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("bad");
    for (const place of readFileSync(places, "utf8").trim().split("\n")) expect(existsSync(place)).toBe(false);
    expect((await retake("status")).stdout).toContain("Undo       Turn: write e.txt: good");
  });

  test("[X11] says where it found nothing, and what the command printed there", async () => {
    expect(await retake("bisect", "echo cannot build; false")).toMatchObject({
      status: 4,
      stdout: "",
      stderr: expect.stringContaining(
        "The command fails already before turn 1, so no turn of this take broke it. It printed:\ncannot build\n",
      ),
    });
    expect((await retake("bisect", "! grep -qs since e.txt")).stderr).toContain(
      "The command succeeds at the end of turn 4. What has changed since: retake diff 4 now",
    );
    expect(await retake("bisect")).toMatchObject({ status: 2 });
  });

  test("[X11] ends the command and removes its copy when Retake is interrupted", async () => {
    const begun = join(folder, "begun");
    const child = spawn(process.execPath, [MAIN, "bisect", `pwd > ${begun}; sleep 600`], {
      cwd: root,
      env: environment,
    });
    const ended = once(child, "exit");
    await expect.poll(() => existsSync(begun) && readFileSync(begun, "utf8")).toBeTruthy();
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(existsSync(readFileSync(begun, "utf8").trim())).toBe(false);
  });
});
