import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryWorkspaces } from "../testing/temporary-workspace.ts";

const place = temporaryWorkspaces();
const program = fileURLToPath(new URL("../testing/capture-memory.ts", import.meta.url));

/** The bytes of memory that a process has after the first capture of so many files. */
function memoryFor(files: number): number {
  const { root, store } = place();
  for (let directory = 0; directory < files / 100; directory += 1) {
    const folder = join(root, `directory-${directory}`);
    mkdirSync(folder);
    for (let file = 0; file < 100; file += 1) writeFileSync(join(folder, `file-${file}.txt`), `${directory} ${file}\n`);
  }
  // A collector beside the program frees more or less, as the machine has time; a cache of code is filled or not.
  const args = ["--single-threaded-gc", program, root, store];
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" };
  return Number(execFileSync(process.execPath, args, { encoding: "utf8", env }));
}

test("[F52] each file takes less than 2,000 bytes of memory in a first capture", () => {
  const [few, many] = [1000, 21_000];
  // A busy machine adds to it by chance.
  const least = Math.min(...Array.from({ length: 3 }, () => memoryFor(many)));
  expect((least - memoryFor(few)) / (many - few)).toBeLessThan(2000);
});
