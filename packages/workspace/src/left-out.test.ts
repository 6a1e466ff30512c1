import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_CACHES } from "./scan/ignore-rules.ts";
import { GitOracle, gitEnvironment } from "./testing/git-oracle.ts";
import { leftOut } from "./testing/left-out.ts";
import { temporaryWorkspaces } from "./testing/temporary-workspace.ts";

const temporary = temporaryWorkspaces();

describe("what is left out", () => {
  test("[X4] captures small ignored files separately from the tree; reports large ones when they change", async () => {
    const place = temporary();
    place.write(".gitignore", ".env\n*.bin\nout/\n");
    place.write(".env", "KEY=1\n");
    place.write("out/bundle.js", "1;\n");
    place.write("big.bin", Buffer.alloc(300_000));
    const oracle = new GitOracle(place.root);
    const workspace = place.open();
    const first = await workspace.capture();
    expect(workspace.files(first.id).get(".env")).toMatchObject({ kind: "file", ignored: true });
    expect(workspace.files(first.id).get("out/bundle.js")).toMatchObject({ kind: "file", ignored: true });
    expect(await workspace.treeId(first.id)).toBe(oracle.treeId());
    place.write(".env", "KEY=2\n");
    place.write("big.bin", Buffer.alloc(300_001));
    const second = await workspace.capture();
    expect(second.receipt.ignoredChanged).toEqual([".env"]);
    expect(second.receipt.leftOutChanged).toEqual(["big.bin"]);
    expect(await workspace.treeId(second.id)).toBe(oracle.treeId());
    expect(await workspace.treeId(second.id)).toBe(oracle.treeId());
    expect(workspace.describe(second.id)).toMatchObject({ parent: first.id, receipt: second.receipt });
    oracle.close();
  });

  test("[X4] a file that becomes ignored stays known; one in a directory that is too large does not count as deleted", async () => {
    const place = temporary();
    place.write("a.log", "one");
    place.write("out/a", "one");
    for (let index = 0; index < 20; index += 1) place.write(`out/${index}`, "x");
    const workspace = place.open({ limits: { mostIgnoredEntries: 10 } });
    const first = await workspace.capture();
    place.write(".gitignore", "*.log\nout/\n");
    const second = await workspace.capture();
    const changes = new Map(second.changes.map((change) => [change.path, change]));
    expect(changes.get("a.log")).toMatchObject({ before: { kind: "file" }, after: { kind: "file", ignored: true } });
    expect(changes.get("out/a")).toMatchObject({ after: { kind: "uncovered", reason: "ignored", inherited: true } });
    expect(workspace.files(second.id).uncovered("out/a")).toMatchObject({ reason: "ignored" });
    rmSync(place.path(".gitignore"));
    const third = await workspace.capture();
    const back = new Map(third.changes.map((change) => [change.path, change]));
    expect(back.get("out/a")).toMatchObject({
      before: { kind: "uncovered", inherited: true },
      after: { kind: "file" },
    });
    expect(workspace.changes(first.id, third.id)).toEqual([]);
    expect(workspace.changes(first.id, second.id).find(({ path }) => path === "out/a")?.after?.kind).toBe("uncovered");
  });

  test("a .retakeignore has priority: it excludes files from captures, and can include what git ignores", async () => {
    const place = temporary();
    place.write(".gitignore", "*.log\n");
    place.write(".retakeignore", "secret\n!keep.log\n");
    place.write("secret", "x");
    place.write("keep.log", "x");
    const workspace = place.open();
    const { id, receipt } = await workspace.capture();
    expect(leftOut(receipt)).toEqual({ secret: "excluded" });
    expect(workspace.files(id).get("keep.log")).toMatchObject({ kind: "file" });
    expect(workspace.files(id).get("keep.log")).not.toHaveProperty("ignored");
  });

  test("does not scan built-in caches; a setting or a negated line changes that", async () => {
    const place = temporary();
    place.write("node_modules/a/index.js", "x");
    place.write("sub/__pycache__/a.pyc", "x");
    const workspace = place.open({ caches: DEFAULT_CACHES });
    expect(leftOut((await workspace.capture()).receipt)).toEqual({
      node_modules: "cache",
      "sub/__pycache__": "cache",
    });
    place.write(".gitignore", "!node_modules/\n");
    expect(leftOut((await workspace.capture()).receipt)).toEqual({ "sub/__pycache__": "cache" });
    await place.close(workspace);
    const other = place.open({ caches: ["a/"] });
    expect(leftOut((await other.capture()).receipt)).toEqual({ "node_modules/a": "cache" });
  });

  test("applies the rules of the surrounding repository and its info/exclude, and notices when they change", async () => {
    const place = temporary();
    execFileSync("git", ["init", "-q", place.root], { env: gitEnvironment });
    place.write(".gitignore", "*.log\n/packages/app/tmp\n");
    place.write("packages/.gitignore", "!keep.log\n");
    writeFileSync(place.path(".git/info/exclude"), "*.excluded\n");
    for (const name of ["a.log", "keep.log", "b.excluded", "tmp", "src"]) place.write(`packages/app/${name}`, "x");
    const workspace = place.open({ root: place.path("packages/app") });
    const tree = async () =>
      [...workspace.files((await workspace.capture()).id).entries()]
        .filter(([, state]) => !state.ignored)
        .map(([path]) => path);
    expect(await tree()).toEqual(["keep.log", "src"]);
    writeFileSync(place.path(".git/info/exclude"), "src\n");
    expect(await tree()).toEqual(["b.excluded", "keep.log"]);
    place.write("packages/.gitignore", "app/\n");
    // In a directory that the repository ignores, its rules do not apply.
    expect(await tree()).toEqual(["a.log", "b.excluded", "keep.log", "src", "tmp"]);
  });

  test("core.excludesFile applies", async () => {
    const place = temporary();
    execFileSync("git", ["init", "-q", place.root], { env: gitEnvironment });
    writeFileSync(join(place.home, "excludes"), "*.swp\n");
    execFileSync("git", ["-C", place.root, "config", "core.excludesFile", join(place.home, "excludes")]);
    place.write("a.swp", "x");
    place.write("a", "x");
    const workspace = place.open();
    expect(workspace.files((await workspace.capture()).id).get("a.swp")).toMatchObject({ ignored: true });
  });
});
