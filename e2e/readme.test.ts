import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const readme = readFileSync(join(root, "README.md"), "utf8");

function npm(...args: string[]) {
  return spawnSync("npm", args, { cwd: root, encoding: "utf8", shell: process.platform === "win32" });
}

describe("the README", () => {
  test("names the two commands and what they take", () => {
    expect(readme).toContain("npm start");
    expect(readme).toContain("npm test");
  });

  test("every npm script it names exists", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const named = [...readme.matchAll(/(?:`|^)npm (?:run )?([a-z]+)/gm)].map(([, name]) => name as string);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test("every file and folder it links to exists, and so do those of the docs", () => {
    const pages = [
      "README.md",
      "CONTRIBUTING.md",
      "packages/core/SPEC.md",
      ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`),
    ];
    for (const page of pages.filter((name) => name.endsWith(".md"))) {
      const text = readFileSync(join(root, page), "utf8");
      for (const [, target] of text.matchAll(/\]\(([^)#:]+)\)/g)) {
        expect(existsSync(join(root, dirname(page), target as string)), `${page} links to ${target}`).toBe(true);
      }
    }
  });

  test("npm start runs: its version, its help, and the tour", () => {
    expect(npm("start", "--silent", "--", "--version")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^retake \d+\.\d+\.\d+\n$/),
    });
    expect(npm("start", "--silent", "--", "--help")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Usage: retake"),
    });
    expect(npm("start", "--silent")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Undo: Reset the session"),
    });
  });

  test("npm start refuses what it does not know, with exit code 2", () => {
    expect(npm("start", "--silent", "--", "--unknown")).toMatchObject({ status: 2, stdout: "" });
  });

  test("npm test runs a part of the tests when it is told which, and ends with a count", () => {
    const result = npm("test", "--silent", "--", "packages/core/src/values/json.test.ts");
    expect(result.status).toBe(0);
    expect(result.stdout.trimEnd().split("\n").at(-1)).toMatch(/^\d+ passed, 0 failed, 0 skipped$/);
  });
});
