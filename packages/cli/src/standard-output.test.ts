import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { MAIN } from "../../../testing/main.ts";
import { CliSession } from "./testing/cli-session.ts";

const session = new CliSession();
afterAll(() => session.remove());

test("all output arrives through a pipe that somebody made non-blocking", async () => {
  await session.thread("main", "echo one > one.txt");
  const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index}\n`).join("");
  session.write("long.txt", lines);
  // Node makes a pipe non-blocking to write to it; when it is killed, the pipe stays so.
  const unblock = `process.stdout.write("x\\n"); process.kill(process.pid, "SIGKILL")`;
  const command = `("$NODE" -e '${unblock}' || true; "$NODE" "$MAIN" diff --json) | cat`;
  const { status, stdout } = spawnSync(command, {
    shell: true,
    cwd: session.root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    env: { ...process.env, RETAKE_HOME: session.home, NODE: process.execPath, MAIN },
  });
  expect(status).toBe(0);
  expect(stdout.startsWith("x\n")).toBe(true);
  expect(JSON.parse(stdout.slice(2)).files).toContainEqual(expect.objectContaining({ path: "long.txt" }));
});

test.skipIf(!existsSync("/dev/full"))(
  "[F40] a command whose output has no room is carried out, and says so",
  async () => {
    const command = `"$NODE" "$MAIN" undo > "$FULL"`;
    const env = { ...process.env, RETAKE_HOME: session.home, NODE: process.execPath, MAIN, FULL: "/dev/full" };
    const { status, stderr } = spawnSync(command, { shell: true, cwd: session.root, encoding: "utf8", env });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^The output cannot be written: ENOSPC.*all the same\.\n$/),
    ]);
    expect(session.read("one.txt")).toBeUndefined();
  },
);

test("[F67] a prompt that is piped in and is not text is refused", async () => {
  const command = `printf 'a\\377b' | "$NODE" "$MAIN" run`;
  const env = { ...process.env, RETAKE_HOME: session.home, NODE: process.execPath, MAIN };
  const { status, stderr } = spawnSync(command, { shell: true, cwd: session.root, encoding: "utf8", env });
  expect([status, stderr]).toEqual([2, "The standard input is not UTF-8 text. Nothing was changed.\n"]);
});
