import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CaptureTree } from "../capture/capture-tree.ts";
import type { FileState } from "../model/model.ts";
import { materialize } from "./materialize.ts";
import { listing, Sandbox } from "./testing/sandbox.ts";

let sandbox: Sandbox;
let copy: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  copy = new Sandbox();
  sandbox.write("a", "a\n", 0o640);
  sandbox.write("d/x/b", "\0binary", 0o755);
  sandbox.write("d/caf\xe9", "not UTF-8\n");
  sandbox.link("link", "nowhere");
  mkdirSync(sandbox.path("empty"), { mode: 0o750 });
});
afterEach(() => {
  sandbox.dispose();
  copy.dispose();
});

test("[L12] a tree written to an empty directory equals the captured one", () => {
  const tree = sandbox.capture();
  expect(materialize(tree, sandbox.objects, copy.root)).toEqual({ files: 4, cloned: 0 });
  expect(listing(copy.capture())).toEqual(listing(tree));
});

test("[L12] files that a workspace still has come from there, the others from the store", () => {
  const tree = sandbox.capture();
  sandbox.write("a", "changed since\n", 0o640);
  expect(materialize(tree, sandbox.objects, copy.root, sandbox.root)).toEqual({ files: 4, cloned: 2 });
  expect(listing(copy.capture())).toEqual(listing(tree));
});

test("[L12] makes the directory; refuses one that is not empty", () => {
  const tree = sandbox.capture();
  materialize(tree, sandbox.objects, join(copy.root, "new"));
  expect(readdirSync(join(copy.root, "new")).sort()).toEqual(["a", "d", "empty", "link"]);
  expect(() => materialize(tree, sandbox.objects, copy.root)).toThrow(expect.objectContaining({ code: "not-empty" }));
});

test.each([
  ["nowhere/copy", "the directory around it is not there"],
  ["file", "a file is in its place"],
])("[L12] says why %s cannot be made, and that nothing was written", (name, why) => {
  const tree = sandbox.capture();
  writeFileSync(join(copy.root, "file"), "");
  expect(() => materialize(tree, sandbox.objects, join(copy.root, name))).toThrow(
    expect.objectContaining({ code: "not-started", message: expect.stringMatching(`${why}.*Nothing was written`) }),
  );
});

test("checks a foreign tree in the same way, and a failure leaves nothing", () => {
  const file = (content: string): FileState => {
    const hash = sandbox.objects.write(Buffer.from(content));
    return { kind: "file", hash, size: content.length, mode: 0o4755 };
  };
  const out = join(copy.directory, "out");
  mkdirSync(out);
  const link: FileState = { kind: "link", hash: sandbox.objects.write(Buffer.from(out)), size: out.length };
  const attacks: [string, FileState][][] = [
    [["../out/x", file("x")]],
    [[".git/config", file("x")]],
    [["GIT~1/config", file("x")]],
    [["/tmp/x", file("x")]],
    [
      ["a", file("x")],
      ["d", link],
      ["d/x", file("x")],
    ],
    [
      ["a", file("x")],
      ["b/c", { kind: "file", hash: "0".repeat(64), size: 1, mode: 0o644 }],
    ],
  ];
  for (const attack of attacks) {
    const target = join(copy.root, "target");
    expect(() => materialize(new CaptureTree(new Map(attack)), sandbox.objects, target)).toThrow();
    expect(existsSync(target)).toBe(false);
    expect(readdirSync(out)).toEqual([]);
  }
  materialize(new CaptureTree(new Map([["a", file("x")]])), sandbox.objects, copy.root);
  expect(copy.capture().get("a")).toMatchObject({ mode: 0o755 });
});

test("does not read the source through links", () => {
  const tree = sandbox.capture();
  const secret = join(copy.directory, "secret");
  mkdirSync(join(secret, "x"), { recursive: true });
  writeFileSync(join(secret, "x", "b"), "\0binary");
  sandbox.remove("d");
  symlinkSync(secret, sandbox.path("d"));
  expect(materialize(tree, sandbox.objects, copy.root, sandbox.root)).toEqual({ files: 4, cloned: 1 });
});
