import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "packages", "cli", "dist");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-build-")));
const home = join(folder, "home");
const work = join(folder, "work");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function node(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, RETAKE_HOME: home, ...environment };
  return spawnSync(process.execPath, args, { cwd: work, encoding: "utf8", env });
}

describe("[F5] the build", () => {
  let build = "";
  beforeAll(() => {
    mkdirSync(work);
    mkdirSync(join(home, "config"), { recursive: true });
    expect(node([join(root, "scripts", "build.mjs")])).toMatchObject({ status: 0 });
    const [, name = ""] = /"\.\/(\w+)\/main\.cjs"/.exec(readFileSync(join(dist, "retake.cjs"), "utf8")) ?? [];
    build = join(dist, name);
  });

  test("has no file that cannot be loaded", () => {
    const chunks = readdirSync(build).filter((name) => name.endsWith(".cjs"));
    // The ways in begin to work as soon as they are loaded; they are parsed only.
    const isWayIn = (name: string) => name === "main.cjs" || name.endsWith("-worker.cjs");
    expect(chunks.filter(isWayIn)).toHaveLength(6);
    for (const name of chunks.filter(isWayIn)) expect(node(["--check", join(build, name)]).stderr, name).toBe("");
    const load = `
      for (const name of ${JSON.stringify(chunks.filter((name) => !isWayIn(name)))})
        try { require(${JSON.stringify(`${build}/`)} + name); } catch (error) { console.log(name, error); }
      process.exit();`;
    expect(node(["-e", load])).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });

  test("prints its version without core, Node's streams, and patterns of Unicode scripts", () => {
    const watch = join(folder, "watch.cjs");
    writeFileSync(
      watch,
      `process.on("exit", () => console.error(JSON.stringify([Object.keys(require.cache), process.moduleLoadList])));`,
    );
    const { stdout, stderr } = node(["-r", watch, join(dist, "retake.cjs"), "--version"]);
    expect(stdout).toMatch(/^retake \d/);
    const [files, modules] = JSON.parse(stderr) as [string[], string[]];
    expect(modules).toContain("NativeModule fs");
    expect(modules).not.toContain("NativeModule stream");
    const code = files.filter((file) => file.startsWith(build)).map((file) => readFileSync(file, "utf8"));
    expect(code).toHaveLength(2);
    expect(code.filter((text) => text.includes("// packages/core/") || text.includes("Script="))).toEqual([]);
  });

  test("runs a turn with the tools of an MCP server", () => {
    const program = join(root, "packages", "runtime", "src", "mcp", "testing", "server-program.ts");
    const config = `[mcp.test]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(program)}]\n`;
    writeFileSync(join(home, "config", "config.toml"), config);
    const call = { name: "test__write", input: { path: "far.txt", content: "from afar" } };
    const script = join(folder, "script.json");
    writeFileSync(script, JSON.stringify({ turns: [{ steps: [{ tool_calls: [call] }, { text: "done" }] }] }));
    const ran = node([join(build, "main.cjs"), "run", "--approve", "all", "go"], { RETAKE_SCRIPT: script });
    expect(ran, ran.stderr).toMatchObject({ status: 0 });
    expect(readFileSync(join(work, "far.txt"), "utf8")).toBe("from afar");
  });
});
