import { spawnSync } from "node:child_process";
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
