import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const readme = readFileSync(join(root, "README.md"), "utf8");
const home = mkdtempSync(join(tmpdir(), "retake-readme-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function npm(...args: string[]) {
  const env = { ...process.env, RETAKE_HOME: home };
  return spawnSync("npm", args, { cwd: root, encoding: "utf8", env, shell: process.platform === "win32" });
}

describe("the README", () => {
  test("every npm script that it and CONTRIBUTING name exists", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const pages = readme + readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
    const named = [...pages.matchAll(/(?:`|^)npm (?:run )?([a-z]+)/gm)].map(([, name]) => name as string);
    expect(named).toEqual(expect.arrayContaining(["start", "test", "check", "bench"]));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test("every file and folder it links to exists, and so do those of the docs", () => {
    const docs = readdirSync(join(root, "docs")).map((name) => `docs/${name}`);
    const pages = ["README.md", "CONTRIBUTING.md", "packages/core/SPEC.md", ...docs];
    for (const page of pages.filter((name) => name.endsWith(".md"))) {
      const text = readFileSync(join(root, page), "utf8");
      for (const [, target] of text.matchAll(/\]\(([^)#:]+)\)/g)) {
        expect(existsSync(join(root, dirname(page), target as string)), `${page} links to ${target}`).toBe(true);
      }
    }
  });

  test("npm start runs what it says, and refuses what it does not know with exit code 2", () => {
    const version = npm("start", "--silent", "--", "--version");
    expect(version).toMatchObject({ status: 0, stdout: expect.stringMatching(/^retake \d+\.\d+\.\d+\n$/) });
    const help = npm("start", "--silent", "--", "--help");
    expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining("Usage: retake") });
    expect(npm("start", "--silent", "--", "nonsense")).toMatchObject({ status: 2, stdout: "" });
  });

  test("npm test runs a part of the tests when it is told which, and ends with a count", () => {
    const result = npm("test", "--silent", "--", "packages/core/src/values/json.test.ts");
    expect(result.status).toBe(0);
    expect(result.stdout.trimEnd().split("\n").at(-1)).toMatch(/^\d+ passed, 0 failed, 0 skipped$/);
  });
});

describe("the README's minute", () => {
  test("[U1] [U8] [X6] [S6] its commands do what it shows", () => {
    const workspace = mkdtempSync(join(tmpdir(), "retake-minute-"));
    const env = { ...process.env, RETAKE_HOME: home };
    // Built and put there by `npm start`.
    expect(npm("start", "--silent", "--", "--version").status).toBe(0);
    const retake = join(root, "node_modules", ".bin", "retake");
    const block = /```console\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
    const steps = block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => step.trimEnd().split("\n"));
    expect(steps.length).toBeGreaterThan(4);
    try {
      for (const [command = "", ...shown] of steps) {
        const line = command.replace(/^retake/, `"${retake}"`);
        const { stdout, status } = spawnSync(line, { cwd: workspace, encoding: "utf8", env, shell: true });
        expect(status, command).toBe(0);
        for (const each of shown.filter((text) => text !== "…")) expect(stdout.split("\n"), command).toContain(each);
      }
      expect(readdirSync(workspace)).toEqual(["notes.txt"]);
    } finally {
      rmSync(workspace, { recursive: true, force: true });
    }
  });
});
