import { spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-start-")));
const env = { ...process.env, RETAKE_HOME: join(folder, "home") };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function npmStart(cwd: string, ...args: string[]) {
  return spawnSync("npm", ["start", "--silent", "--prefix", root, "--", ...args], { cwd, encoding: "utf8", env });
}

describe("npm start", () => {
  test("works in the directory that it was called in, with the arguments after --", () => {
    const work = join(folder, "work");
    mkdirSync(work);
    expect(npmStart(work, "run", "--yes", "write made here.txt: yes")).toMatchObject({ status: 0 });
    expect(readdirSync(work)).toEqual(["made here.txt"]);
    expect(npmStart(work, "nonsense")).toMatchObject({ status: 2, stdout: "" });
  });

  test("puts a retake into node_modules/.bin that needs no Node in PATH, wherever and through whatever it is called", () => {
    npmStart(folder, "--version");
    const link = join(folder, "link");
    const second = join(folder, "second");
    symlinkSync(join(root, "node_modules", ".bin", "retake"), link);
    symlinkSync("link", second);
    for (const [command, cwd] of [
      [join(root, "node_modules", ".bin", "retake"), "/"],
      ["./.bin/retake", join(root, "node_modules")],
      [second, "/"],
      ["./second", folder],
    ] as const) {
      const ran = spawnSync(command, ["--version"], { cwd, encoding: "utf8", env: { PATH: "/usr/bin:/bin" } });
      expect(ran, command).toMatchObject({ status: 0, stdout: expect.stringMatching(/^retake \d/), stderr: "" });
    }
  });
});

describe("the build", () => {
  const copy = join(folder, "repository");
  const dist = join(copy, "packages", "cli", "dist");
  const builds = () => readdirSync(dist).filter((name) => name !== "retake.cjs");

  beforeAll(() => {
    const isSource = (path: string) => !/\/(node_modules|dist)$/.test(path);
    for (const name of ["scripts", "packages", "package-lock.json"]) {
      cpSync(join(root, name), join(copy, name), { recursive: true, filter: isSource });
    }
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  });

  function build(): Promise<number | null> {
    const started = spawn(process.execPath, [join(copy, "scripts", "build.mjs")], { stdio: "ignore" });
    return new Promise((resolve) => started.on("close", resolve));
  }

  function version(): string {
    const launcher = join(copy, "packages", "cli", "bin", "retake.cjs");
    return spawnSync(process.execPath, [launcher, "--version"], { encoding: "utf8" }).stdout;
  }

  test("is made once by any number that want it at once", async () => {
    expect(await Promise.all([build(), build(), build()])).toEqual([0, 0, 0]);
    expect(builds()).toHaveLength(1);
    expect(version()).toMatch(/^retake \d/);
  });

  test("is made again when a source changed, and what was built before still runs", async () => {
    await build();
    const [before] = builds();
    const manifest = join(copy, "packages", "cli", "package.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace(/"version": "[^"]+"/, '"version": "9.8.7"'));
    expect(await build()).toBe(0);
    expect(version()).toBe("retake 9.8.7\n");
    expect(builds()).toHaveLength(2);
    expect(existsSync(join(dist, String(before), "main.cjs"))).toBe(true);
  });

  test("that fails leaves the one before", async () => {
    await build();
    const before = version();
    appendFileSync(join(copy, "packages", "cli", "src", "main.ts"), "\nthis is not TypeScript");
    expect(await build()).not.toBe(0);
    expect(version()).toBe(before);
    expect(builds().filter((name) => !/^[0-9a-f]{12}$/.test(name))).toEqual([]);
  });
});

test("a damaged cache of compiled functions is not believed, and is made again", () => {
  npmStart(folder, "--version");
  const retake = join(root, "node_modules", ".bin", "retake");
  const threads = () => spawnSync(retake, ["threads"], { cwd: folder, encoding: "utf8", env });
  expect(threads()).toMatchObject({ status: 0, stderr: "" });
  const directory = join(folder, "home", "state", "code-cache");
  const [name] = readdirSync(directory).filter((each) => each.endsWith("-retake-threads"));
  const cache = join(directory, String(name));
  const whole = readFileSync(cache);
  const damaged = Buffer.from(whole);
  damaged.fill(0x5a, damaged.length / 2);
  for (const content of [damaged, whole.subarray(0, 100), Buffer.alloc(0)]) {
    writeFileSync(cache, content);
    expect(threads()).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(cache).length).toBeGreaterThan(100_000);
  }
});
