import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAIN } from "../../../testing/main.ts";
import { completions } from "./ask-line.ts";
import { CliSession } from "./testing/cli-session.ts";

const session = new CliSession();
const bin = mkdtempSync(join(tmpdir(), "retake-bin-"));

let thread: string;

beforeAll(async () => {
  thread = await session.thread("login page", "printf one > a.txt");
  await session.thread("other");
  writeFileSync(join(bin, "retake"), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  chmodSync(join(bin, "retake"), 0o755);
});
afterAll(() => {
  session.remove();
  rmSync(bin, { recursive: true, force: true });
});

const has = (shell: string) => spawnSync(shell, ["-c", "true"]).status === 0;

/** Bash's completions for the last of these words. */
function offered(...words: string[]): string[] {
  const list = ["retake", ...words].map((word) => `'${word}'`).join(" ");
  const script = `eval "$(retake completion bash)"; COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _retake_complete
    for word in "\${COMPREPLY[@]}"; do printf '%s\\n' "$word"; done`;
  const env = { ...process.env, RETAKE_HOME: session.home, PATH: `${bin}:${process.env["PATH"]}` };
  const said = execFileSync("bash", ["-c", script], { cwd: session.root, env, encoding: "utf8" });
  return said.split("\n").filter((line) => line !== "");
}

describe("completion in a shell", () => {
  test("bash completes commands, options, their values, and what is there", () => {
    expect(offered("un")).toEqual(["undo"]);
    expect(offered("undo", "--k")).toEqual(["--keep-prompt"]);
    expect(offered("undo", "--on-conflict", "o")).toEqual(["overwrite"]);
    expect(offered("switch", "lo")).toEqual(["login\\ page"]);
    expect(offered("edit", "--thread", "login page", "")).toEqual(["1.0", "1.1", "1.1.1", "1.2"]);
    expect(offered("jump", "--thread", "login page", "")[0]).toBe("1");
    expect(offered("jump", "--thread", "login page", "#")).toEqual(["\\#1"]);
    expect(offered("nonsense", "")).toEqual([]);
  });

  test.each(["bash", "zsh", "fish"])("the script for %s is one that it reads", async (shell) => {
    const script = await session.text("completion", shell);
    expect(script).toContain("completion --complete");
    // Where the shell is not on this machine, its script is only compared with what it must call.
    if (has(shell)) expect(spawnSync(shell, ["-n"], { input: script, encoding: "utf8" })).toMatchObject({ stderr: "" });
  });
});

test("on a screen the completions are those of the thread that is shown, which need not be the current one", async () => {
  const world = { environment: { RETAKE_HOME: session.home }, directory: session.root, now: Date.now };
  const entriesOf = async (shownThread: string | undefined) => {
    const [found] = await completions({ ...world, shownThread }, "/log ");
    return found.map(({ word }) => word);
  };
  expect(await entriesOf(thread)).toEqual(["1.0 ", "1.1 ", "1.1.1 ", "1.2 "]);
  expect(await entriesOf(undefined)).toEqual([]);
});
