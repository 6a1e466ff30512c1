import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Directories } from "./directories.ts";
import { Sandbox } from "./testing/sandbox.ts";

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.dispose());

const ways = process.platform === "linux" ? [true, false] : [false];
describe.each(ways)("directories below the workspace (held by descriptor: %s)", (held) => {
  let directories: Directories;
  beforeEach(() => {
    directories = new Directories(sandbox.root, held);
  });
  afterEach(() => directories.close());

  test("are found, missing, or blocked by the first parent that is no directory", () => {
    sandbox.write("d/e/file", "x");
    sandbox.link("d/link", "e");
    expect(directories.find("d/e").kind).toBe("directory");
    expect(directories.find("d/missing/deep")).toEqual({ kind: "missing", path: "d/missing" });
    expect(directories.find("d/e/file/deep")).toEqual({ kind: "blocked", by: "d/e/file" });
    expect(directories.find("d/link/deep")).toEqual({ kind: "blocked", by: "d/link" });
    expect(directories.find("..")).toEqual({ kind: "blocked", by: ".." });
  });

  test("are created when missing, never through a link", () => {
    const made: string[] = [];
    sandbox.link("link", "/");
    expect(directories.ensure("a/caf\xe9/c", (path) => made.push(path)).kind).toBe("directory");
    expect(made).toEqual(["a", "a/caf\xe9", "a/caf\xe9/c"]);
    expect(directories.ensure("link/x", (path) => made.push(path))).toEqual({ kind: "blocked", by: "link" });
    expect(made).toHaveLength(3);
  });

  test("cannot be reached once their name is a link", () => {
    mkdirSync(sandbox.path("d"));
    mkdirSync(sandbox.path("elsewhere"));
    const found = directories.find("d");
    if (found.kind !== "directory") throw new Error("not found");
    renameSync(sandbox.path("d"), sandbox.path("moved"));
    symlinkSync("elsewhere", sandbox.path("d"));
    if (held) writeFileSync(found.directory.place("x"), "");
    else expect(() => found.directory.place("x")).toThrow();
    expect(readdirSync(sandbox.path("elsewhere"))).toEqual([]);
    directories.forget("d");
    expect(directories.find("d")).toEqual({ kind: "blocked", by: "d" });
  });

  test("stay usable when many are open", () => {
    for (let index = 0; index < 300; index += 1) {
      directories.trim();
      const found = directories.ensure(`d${index}`, () => {});
      if (found.kind !== "directory") throw new Error("not made");
      writeFileSync(found.directory.place("file"), "");
    }
    expect(readdirSync(sandbox.root)).toHaveLength(300);
    expect(readdirSync(sandbox.path("d299"))).toEqual(["file"]);
  });
});
