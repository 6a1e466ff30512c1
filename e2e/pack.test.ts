import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-pack-")));
const prefix = join(folder, "prefix");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, args: readonly string[], cwd: string) {
  // The installed command finds its Node in PATH.
  const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;
  const env = { ...process.env, PATH: path, RETAKE_HOME: join(folder, "home") };
  return spawnSync(command, args, { cwd, encoding: "utf8", env });
}

describe("the package", () => {
  beforeAll(() => {
    const packed = run("npm", ["run", "--silent", "pack", "--", folder], root);
    expect(packed, packed.stderr).toMatchObject({ status: 0 });
    const tarball = join(folder, packed.stdout.trim());
    const installed = run("npm", ["install", "--global", "--offline", "--prefix", prefix, tarball], folder);
    expect(installed, installed.stderr).toMatchObject({ status: 0 });
  });

  test("works where it is installed, without the network and without this repository", () => {
    const work = join(folder, "work");
    mkdirSync(work);
    const retake = join(prefix, "bin", "retake");
    expect(run(retake, ["run", "--yes", "write notes.txt: first idea"], work)).toMatchObject({
      status: 0,
      stderr: "No model is configured, so the scripted one answers. retake models lists others.\n",
    });
    expect(readFileSync(join(work, "notes.txt"), "utf8")).toContain("first idea");
    expect(run(retake, ["undo"], work)).toMatchObject({ status: 0, stderr: "" });
    expect(existsSync(join(work, "notes.txt"))).toBe(false);
  });

  test("needs no other package, and holds one build", () => {
    const installed = join(prefix, "lib", "node_modules", "retake");
    const { dependencies, engines } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    // The launcher asks for the same, without reading it.
    expect({ dependencies, engines }).toEqual({ engines: { node: ">=24" } });
    const list = run("npm", ["ls", "--global", "--prefix", prefix, "--all", "--parseable"], folder);
    expect(list.stdout.trim().split("\n")).toEqual([join(prefix, "lib"), installed]);
  });

  test("says what it needs to a Node that is too old, and does nothing", () => {
    const launcher = join(prefix, "lib", "node_modules", "retake", "bin", "retake.cjs");
    const old = `Object.defineProperty(process.versions, "node", { value: "20.19.0" }); require(${JSON.stringify(launcher)})`;
    const ran = run(process.execPath, ["-e", old], folder);
    expect(ran).toMatchObject({ status: 1, stdout: "" });
    expect(ran.stderr).toContain("Retake needs Node 24 or newer; this is Node 20.19.0.");
  });
});
