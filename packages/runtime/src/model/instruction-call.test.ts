import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { instructionCall } from "./instruction-call.ts";
import type { Instruction } from "./instructions.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-calls-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function run(instruction: Instruction): void {
  const { name, input } = instructionCall(instruction);
  expect(name).toBe("bash");
  execFileSync("bash", ["-c", String(input["command"])], { cwd: folder, stdio: "pipe" });
}

const content = (path: string): string => readFileSync(join(folder, path), "utf8");

const awkward = [
  "a b",
  "it's",
  "-rf",
  "$HOME",
  "`id`",
  "a;b",
  "x&y",
  '"q"',
  "*",
  "~",
  "#c",
  "%s",
  "é\u2028",
  "!x",
  "\\",
];

test("a write instruction calls the write tool", () => {
  expect(instructionCall({ verb: "write", path: "a", content: "b" })).toEqual({
    name: "write",
    input: { path: "a", content: "b" },
  });
});

describe("append adds exactly the content", () => {
  test("to a file without a line feed at its end", () => {
    writeFileSync(join(folder, "a.txt"), "one");
    run({ verb: "append", path: "a.txt", content: "two" });
    expect(content("a.txt")).toBe("onetwo");
  });

  test("to a missing file in missing directories", () => {
    run({ verb: "append", path: "deep/er dir/a.txt", content: "\nx\n" });
    expect(content("deep/er dir/a.txt")).toBe("\nx\n");
  });

  test("also when the content is empty", () => {
    run({ verb: "append", path: "empty", content: "" });
    expect(content("empty")).toBe("");
  });

  test("for any content and any path", () => {
    for (const path of awkward) {
      run({ verb: "append", path, content: awkward.join("\n") });
      expect(content(path)).toBe(awkward.join("\n"));
    }
    const text = fc.string({ unit: fc.constantFrom(..."ab '\"\\$`%\n\t-!*é😀"), maxLength: 30 });
    fc.assert(
      fc.property(text, (added) => {
        writeFileSync(join(folder, "random"), "before");
        run({ verb: "append", path: "random", content: added });
        expect(content("random")).toBe(`before${added}`);
      }),
      { numRuns: 25 },
    );
  });

  test("in a command of one line, so that the user who approves it sees all of it", () => {
    const { input } = instructionCall({ verb: "append", path: "a", content: "one\ntwo" });
    expect(input).toEqual({ command: "printf '%s\\n%s' one two >> a" });
  });
});

describe("delete removes exactly its path", () => {
  test.each(awkward)("%j", (path) => {
    for (const each of [path, "ab", "it", "id", "q"]) writeFileSync(join(folder, each), "");
    run({ verb: "delete", path });
    expect(existsSync(join(folder, path))).toBe(false);
    expect(["ab", "it", "id", "q"].every((each) => existsSync(join(folder, each)))).toBe(true);
  });

  test("a directory with all its content", () => {
    mkdirSync(dirname(join(folder, "d/e/f")), { recursive: true });
    writeFileSync(join(folder, "d/e/f"), "");
    run({ verb: "delete", path: "d" });
    expect(existsSync(join(folder, "d"))).toBe(false);
  });

  test("fails for a missing path", () => {
    expect(() => run({ verb: "delete", path: "nowhere" })).toThrow(/nowhere/);
  });
});
