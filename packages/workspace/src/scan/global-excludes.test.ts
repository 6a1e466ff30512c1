import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { globalExcludesFile } from "./global-excludes.ts";

let folder: string;
let work: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-excludes-")));
  work = join(folder, "repository", "below");
  mkdirSync(work, { recursive: true });
  mkdirSync(join(folder, "bin"));
  const git = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  // A git that records each time it is started.
  writeFileSync(join(folder, "bin", "git"), `#!/bin/sh\necho . >> "${folder}/asked"\nexec "${git}" "$@"\n`);
  chmodSync(join(folder, "bin", "git"), 0o755);
  vi.stubEnv("PATH", `${join(folder, "bin")}:${process.env["PATH"]}`);
  vi.stubEnv("HOME", join(folder, "home"));
  vi.stubEnv("XDG_CONFIG_HOME", join(folder, "config"));
  vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const memory = () => join(folder, "memory.json");
const answer = () => globalExcludesFile(work, memory());

function write(path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

/** How often git is started for one answer. */
async function timesAsked(): Promise<number> {
  rmSync(join(folder, "asked"), { force: true });
  await answer();
  return existsSync(join(folder, "asked")) ? readFileSync(join(folder, "asked"), "utf8").split("\n").length - 1 : 0;
}

/** Answers are stored only when every file they depend on is older than the precision of the clock. */
async function whenSettled(): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const latest = Math.max(...files.map(({ parentPath, name }) => statSync(join(parentPath, name)).ctimeMs));
  vi.spyOn(Date, "now").mockReturnValue(latest + 10_000);
  try {
    await answer();
  } finally {
    vi.restoreAllMocks();
  }
}

describe("the file of the user's ignore rules", () => {
  test("is git's default when nothing is configured, and the configured one otherwise", async () => {
    expect(await answer()).toBe(join(folder, "config", "git", "ignore"));
    write("home/.gitconfig", "[core]\n\texcludesFile = ~/mine\n");
    expect(await answer()).toBe(join(folder, "home", "mine"));
  });

  test("is requested from git once, as long as nothing changes", async () => {
    write("home/.gitconfig", "[core]\n\texcludesFile = ~/mine\n");
    await whenSettled();
    expect(await timesAsked()).toBe(0);
    expect(await answer()).toBe(join(folder, "home", "mine"));
  });

  const changes: Record<string, () => void> = {
    "the configuration is edited": () => write("home/.gitconfig", "[core]\n\texcludesFile = ~/other\n"),
    "another configuration appears": () => write("config/git/config", "[user]\n\tname = x\n"),
    "a repository appears around it": () => void execFileSync("git", ["init", "-q", join(folder, "repository")]),
    "the environment changes": () => vi.stubEnv("GIT_CONFIG_GLOBAL", join(folder, "elsewhere")),
    "another git comes first": () => {
      write("first/git", readFileSync(join(folder, "bin", "git"), "utf8"));
      chmodSync(join(folder, "first", "git"), 0o755);
      vi.stubEnv("PATH", `${join(folder, "first")}:${process.env["PATH"]}`);
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    test(`is requested again when ${what}`, async () => {
      write("home/.gitconfig", "[core]\n\texcludesFile = ~/mine\n");
      await whenSettled();
      expect(await timesAsked()).toBe(0);
      change();
      expect(await timesAsked()).toBeGreaterThan(0);
    });
  }

  test("is requested again when the repository's own configuration is edited", async () => {
    execFileSync("git", ["init", "-q", join(folder, "repository")]);
    await whenSettled();
    expect(await timesAsked()).toBe(0);
    execFileSync("git", ["-C", work, "config", "core.excludesFile", "/of/the/repository"]);
    expect(await answer()).toBe("/of/the/repository");
  });

  test("is never stored when the configuration includes another file, or was only just written", async () => {
    write("home/.gitconfig", "[core]\n\texcludesFile = ~/mine\n");
    await answer();
    expect(await timesAsked()).toBeGreaterThan(0);
    write("home/.gitconfig", "[include]\n\tpath = more\n");
    await whenSettled();
    expect(await timesAsked()).toBeGreaterThan(0);
  });

  test("works without its memory: a damaged or unwritable memory only means more requests", async () => {
    await whenSettled();
    writeFileSync(memory(), "{");
    expect(await answer()).toBe(join(folder, "config", "git", "ignore"));
    expect(await globalExcludesFile(work, join(folder, "missing", "memory.json"))).toBe(await answer());
  });
});
