import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diffFiles, openFiles } from "@retake/runtime";
import { afterEach, expect, test } from "vitest";
import { SEED } from "../../../testing/budget.ts";
import fc, { cases } from "../../../testing/fast-check.ts";
import { Output } from "./output.ts";
import { patchLines } from "./patch-lines.ts";
import { TestWorld } from "./testing/test-world.ts";

const folder = mkdtempSync(join(tmpdir(), "retake-patch-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Few different lines, so that edits and what they stand between look alike; some ends of line are missing. */
const text = fc
  .tuple(fc.array(fc.constantFrom("a", "b", "", "c\r", "é — ü"), { maxLength: 30 }), fc.boolean())
  .map(([lines, ended]) => lines.join("\n") + (ended ? "\n" : ""));
test(`git applies what is printed and gets the same files (RETAKE_SEED=${SEED})`, async () => {
  const pairs = fc.sample(fc.tuple(fc.option(text), fc.option(text)), { seed: SEED, ...cases(400) });
  const root = join(folder, "work");
  mkdirSync(root);
  const workspace = openFiles({ root, store: join(folder, "store"), watch: false });
  try {
    const put = (side: 0 | 1) => {
      for (const [number, pair] of pairs.entries()) {
        const file = join(root, `file "${number}".txt`);
        const content = pair[side];
        if (content === null) rmSync(file, { force: true });
        else writeFileSync(file, content);
        if (content !== null) chmodSync(file, (number + side) % 5 === 0 ? 0o755 : 0o644);
      }
    };
    put(0);
    const before = (await workspace.capture()).id;
    cpSync(root, join(folder, "patched"), { recursive: true });
    put(1);
    const after = (await workspace.capture()).id;
    const files = await diffFiles(workspace, before, after, { hunks: true });
    const patch = [...patchLines(new Output(false, new TestWorld({ directory: root })), files)]
      .map((line) => `${line}\n`)
      .join("");
    execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: join(folder, "patched"), input: patch });
    for (const [number, [, content]] of pairs.entries()) {
      const file = `file "${number}".txt`;
      expect(read(join(folder, "patched", file)), `file ${number}`).toEqual(read(join(root, file)));
      expect(read(join(root, file))?.content ?? null).toBe(content);
    }
    const additions = files
      .flatMap(({ hunks = [] }) => hunks.flatMap(({ lines }) => lines))
      .filter((line) => line.startsWith("+"));
    expect(files.reduce((sum, file) => sum + file.additions, 0)).toBe(additions.length);
  } finally {
    await workspace.close();
  }
});

function read(path: string): { content: string; executable: boolean } | undefined {
  if (!existsSync(path)) return undefined;
  return { content: readFileSync(path, "utf8"), executable: (statSync(path).mode & 0o100) !== 0 };
}
