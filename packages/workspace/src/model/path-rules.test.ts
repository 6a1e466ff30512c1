import { describe, expect, test } from "vitest";
import { pathProblem } from "./path-rules.ts";

const bytes = (text: string) => Buffer.from(text, "utf8").toString("latin1");

describe("refuses a path that leads out of the workspace", () => {
  test.each([
    ["", "empty"],
    ["/etc/passwd", "absolute"],
    ["a\0b", "nul"],
    ["..", "traversal"],
    ["../x", "traversal"],
    ["a/../../x", "traversal"],
    ["a/..", "traversal"],
    ["./a", "traversal"],
    ["a//b", "traversal"],
    ["a/", "traversal"],
    [".retake-stage-1/n0", "stage"],
    ["a/.retake-stage-x", "stage"],
  ])("%j", (path, problem) => {
    expect(pathProblem(path)).toBe(problem);
  });
});

test("refuses a path that no file system accepts, before anything is staged", () => {
  expect(pathProblem("n".repeat(255))).toBeUndefined();
  expect(pathProblem("n".repeat(256))).toBe("too-long");
  expect(pathProblem(`${"d/".repeat(2000)}f`)).toBe("too-long");
});

describe("refuses the user's repository in every spelling", () => {
  test.each([
    ".git",
    ".git/config",
    "sub/.git/hooks/post-checkout",
    ".GIT/config",
    ".gIt",
    "git~1",
    "GIT~1/config",
    ".git.",
    ".git ",
    ".git . .",
    ".git::$INDEX_ALLOCATION/config",
    ".git:stream",
    "git~1:stream",
    ".git\\config",
    bytes(".g\u200cit"),
    bytes("\ufeff.git"),
    bytes(".gi\u200et\u206f/config"),
    bytes(".\u202egit"),
    bytes(".GI\u206aT"),
  ])("%j", (path) => {
    expect(pathProblem(path)).toBe("git-directory");
  });
});

test("accepts ordinary and strange names", () => {
  for (const path of [
    ".gitignore",
    ".github/x",
    "git",
    "git~2",
    ".git-blame",
    "a.git",
    "a b",
    "a\\b",
    "a:b",
    "...",
    "\xff\xfe",
    "-rf",
    "con",
    bytes("é\u200c"),
  ]) {
    expect(pathProblem(path, "linux")).toBeUndefined();
  }
});

test("on Windows also refuses its separators, drives, streams and devices", () => {
  for (const path of ["C:/x", "c:x", "\\\\server\\x"]) expect(pathProblem(path, "win32")).toBe("absolute");
  for (const path of ["a\\..\\b", "ab:c", "CON", "nul.txt", "x/com1", "a.", "a ", "a?b"]) {
    expect(pathProblem(path, "win32")).toBe("not-a-name-here");
  }
});
