import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { gitEnvironment } from "../testing/git-oracle.ts";
import { parseGitignore } from "./gitignore-pattern.ts";
import { IgnoreRules } from "./ignore-rules.ts";

let repository: string;
beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), "retake-ignore-"));
  spawnSync("git", ["init", "-q", repository], { env: gitEnvironment });
});
afterAll(() => rmSync(repository, { recursive: true }));

/** The paths that git ignores by these lines. None of them exists, so git takes them for files. */
function ignoredByGit(lines: string, paths: readonly string[]): string[] {
  writeFileSync(join(repository, ".gitignore"), Buffer.from(lines, "latin1"));
  const { stdout } = spawnSync("git", ["-C", repository, "check-ignore", "--no-index", "-z", "--stdin"], {
    input: Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1"),
    env: gitEnvironment,
  });
  return stdout.toString("latin1").split("\0").filter(Boolean);
}

function ignoredByUs(lines: string, paths: readonly string[]): string[] {
  const list = { patterns: parseGitignore(lines), verdict: "ignored", skip: 0, prefix: "" } as const;
  const rules = new IgnoreRules([list]);
  return paths.filter((path) => {
    const parts = path.split("/");
    return parts.some((name, depth) => {
      return rules.judge(parts.slice(0, depth + 1).join("/"), name, depth < parts.length - 1) !== "kept";
    });
  });
}

const piece = fc.constantFrom(
  ..."ab/*?[]!-^\\ .#\r",
  "**",
  "/**/",
  "**/",
  "/**",
  "[a-b]",
  "[!a]",
  "[[:alpha:]]",
  "[[:space:]b]",
  "\\*",
  "\xe9",
  "\xc3\xa0",
);
const lines = fc
  .array(
    fc.array(piece, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("")),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) => all.join("\n"));

const names = [
  "a",
  "b",
  "ab",
  "a b",
  "b ",
  "*",
  "a\nb",
  "a\rb",
  "!a",
  "#b",
  "\\",
  "a-b",
  "a.b",
  "\xe9",
  "\xc3\xa0",
  "]",
  "^",
];
const paths = names.flatMap((first) => [
  first,
  ...names.slice(0, 8).flatMap((second) => [`${first}/${second}`, `a/${first}/${second}`]),
]);

test("a list ignores exactly what git ignores by it, byte for byte", () => {
  fc.assert(
    fc.property(lines, (text) => {
      expect(ignoredByUs(text, paths)).toEqual(ignoredByGit(text, paths));
    }),
    cases(400, 20_000),
  );
});

test.each([
  ["foo**/bar", "foo1/2/bar"],
  ["\xef\xbb\xbfa", "a"],
  ["a\\ ", "a "],
  ["a  ", "a"],
  ["[", "["],
  ["a\\", "a"],
  ["**/ab*c/d", "abx/abc/d"],
  ["a/**/*b*/**/c*", "a/b/b/c/bb/d/c1"],
])("%j is read as git reads it", (text, path) => {
  expect(ignoredByUs(text, [path])).toEqual(ignoredByGit(text, [path]));
});

test.each([
  ["*a".repeat(60), "a".repeat(200), true],
  [`${"*a".repeat(60)}*b`, "a".repeat(200), false],
  [`${"**/a*a/".repeat(20)}b`, `${"aa/".repeat(300)}b`, true],
  [`${"**/a*a/".repeat(20)}b`, `${"aa/".repeat(300)}c`, false],
])("a pattern with many wildcards is matched at once: %j", (text, path, matches) => {
  const [pattern] = parseGitignore(text);
  expect(pattern?.matches(path, path.slice(path.lastIndexOf("/") + 1))).toBe(matches);
});
