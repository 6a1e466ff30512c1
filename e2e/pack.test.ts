import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
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
const folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-pack-")));
const prefix = join(folder, "prefix");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, args: readonly string[], cwd: string) {
  // The installed command finds its Node in PATH.
  const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;
  const env = { ...process.env, PATH: path, RETAKE_HOME: join(folder, "home") };
  return spawnSync(command, args, { cwd, encoding: "utf8", env });
}

/** The examples of docs/api.md, as a program that starts the server itself. */
const examples = [...readFileSync(join(root, "docs", "api.md"), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, text]) => text,
);
const PROGRAM = `
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const server = spawn(process.argv[2] ?? "", ["serve", "--json"], { stdio: ["ignore", "pipe", "inherit"] });
const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
const { url } = JSON.parse(line) as { url: string };
const token = readFileSync(\`\${process.env["RETAKE_HOME"]}/state/token\`, "utf8").trim();
const print = (text: string) => console.log(text);
${examples.join("\n")}
// @ts-expect-error The types are real: a count is a number.
const wrong = () => client.undo(thread.id, { turns: "1" });
server.kill();
`;

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

  test("[P8] has the client of the API for other programs, with its types", () => {
    const project = join(folder, "project");
    const modules = join(project, "node_modules");
    mkdirSync(modules, { recursive: true });
    symlinkSync(join(prefix, "lib", "node_modules", "retake"), join(modules, "retake"));
    writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(join(project, "program.ts"), PROGRAM);
    const ran = run(process.execPath, ["program.ts", join(prefix, "bin", "retake")], project);
    expect(ran, ran.stderr).toMatchObject({ status: 0 });
    expect(ran.stdout).toContain("would remove 4 entries and restore hello.txt");
    // Only the types need it.
    symlinkSync(join(root, "node_modules", "zod"), join(prefix, "lib", "node_modules", "zod"));
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
    const options = ["--noEmit", "--strict", "--target", "es2024", "--module", "nodenext", "--types", "node"];
    const types = ["--typeRoots", join(root, "node_modules", "@types")];
    const compiled = run(process.execPath, [compiler, ...options, ...types, "program.ts"], project);
    expect(compiled).toMatchObject({ stdout: "", status: 0 });
  });

  test("says what it needs to a Node that is too old, and does nothing", () => {
    const launcher = join(prefix, "lib", "node_modules", "retake", "bin", "retake.cjs");
    const old = `Object.defineProperty(process.versions, "node", { value: "20.19.0" }); require(${JSON.stringify(launcher)})`;
    const ran = run(process.execPath, ["-e", old], folder);
    expect(ran).toMatchObject({ status: 1, stdout: "" });
    expect(ran.stderr).toContain("Retake needs Node 24 or newer; this is Node 20.19.0.");
  });
});
