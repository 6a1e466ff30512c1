import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const WATCHDOG = new URL("./watchdog.ts", import.meta.url).href;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-watchdog-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Kills a process that guards commands with these marks. */
async function killWhileGuarding(...marks: string[]): Promise<void> {
  const program = `
    const { guardCommand } = await import(${JSON.stringify(WATCHDOG)});
    for (const mark of ${JSON.stringify(marks)}) guardCommand(mark);
    setImmediate(() => console.log("guarded"));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
}

test("[F21] a mark that is there keeps its time: the command had ended before the kill", async () => {
  const [early, last] = [join(folder, "early"), join(folder, "last")];
  writeFileSync(early, "made by the end of the command");
  await killWhileGuarding(early, last);
  await expect.poll(() => existsSync(last)).toBe(true);
  expect(readFileSync(early, "utf8")).toBe("made by the end of the command");
});
