import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import type { FileState, FileTree } from "../model/model.ts";
import { mutateTree, randomFrom } from "../testing/random-tree.ts";
import { temporaryWorkspaces } from "../testing/temporary-workspace.ts";
import type { FileDiff } from "./diff-captures.ts";

const temporary = temporaryWorkspaces();

test("reports files added, removed, modified, made executable, changed in type, and renamed", async () => {
  const place = temporary();
  for (const name of ["removed", "modified", "mode", "type", "old/name"]) place.write(name, `content of ${name}`);
  const workspace = place.open();
  const from = await workspace.capture();
  place.write("added", "new");
  rmSync(place.path("removed"));
  place.write("modified", "other");
  chmodSync(place.path("mode"), 0o755);
  rmSync(place.path("type"));
  symlinkSync("elsewhere", place.path("type"));
  mkdirSync(place.path("new"));
  renameSync(place.path("old/name"), place.path("new/name"));
  const to = await workspace.capture();
  const diff = await workspace.diff(from.id, to.id);
  expect(diff.map(({ status, path, oldPath }) => [status, path, oldPath])).toEqual([
    ["added", "added", undefined],
    ["mode", "mode", undefined],
    ["modified", "modified", undefined],
    ["renamed", "new/name", "old/name"],
    ["added", "old", undefined],
    ["removed", "removed", undefined],
    ["type", "type", undefined],
  ]);
});

test.each([21, 22, 23, 24])("between any two captures equals the difference of their files, seed %i", async (seed) => {
  const place = temporary();
  const random = randomFrom(seed);
  const workspace = place.open();
  const other = place.open();
  const ids = new Set<string>();
  for (let turn = 0; turn < 10; turn += 1) {
    for (let more = 0; more < 3; more += 1) mutateTree(random, place.root, { ignore: false });
    // Two openings make two lines of captures with a common beginning.
    ids.add((await (turn > 2 && random() < 0.5 ? other : workspace).capture()).id);
  }
  for (const from of ids) {
    for (const to of ids) {
      const changes = workspace.changes(from, to).map(({ path, before, after }) => [path, before, after]);
      expect(changes).toEqual(naiveDifference(workspace.files(from), workspace.files(to)));
    }
  }
});

test("in parts, a diff is the same as in one piece, and a path selects what is in it", async () => {
  const place = temporary();
  for (const name of ["old/moved", "gone"]) place.write(name, `content of ${name}`);
  const workspace = place.open();
  const { id: from } = await workspace.capture();
  for (const name of ["a", "dir/b", "dir/c", "directory", "e"]) place.write(name, name);
  mkdirSync(place.path("new"));
  renameSync(place.path("old/moved"), place.path("new/moved"));
  rmSync(place.path("gone"));
  const { id: to } = await workspace.capture();
  const whole = await workspace.diff(from, to);
  for (let limit = 1; limit <= whole.length + 1; limit += 1) {
    const found: FileDiff[] = [];
    for (let after: string | undefined; ; after = found.at(-1)?.path) {
      const part = await workspace.diffPart(from, to, { after, limit });
      expect(part?.total).toBe(whole.length);
      expect(part?.files.length).toBe(Math.min(limit, whole.length - found.length));
      found.push(...(part?.files ?? []));
      if (!part?.hasMore) break;
    }
    expect(found).toEqual(whole);
  }
  const below = async (path: string) => (await workspace.diffPart(from, to, { path }))?.files.map((each) => each.path);
  expect(await below("dir")).toEqual(["dir/b", "dir/c"]);
  expect(await below("old/moved")).toEqual(["new/moved"]);
  expect(await below("nothing")).toEqual([]);
  expect(await workspace.diffPart(from, to, { after: "nothing" })).toBeUndefined();
});

test("a diff that was asked for before is not given any more once its captures are deleted", async () => {
  const place = temporary();
  const workspace = place.open();
  place.write("a", "1");
  const { id: from } = await workspace.capture();
  place.write("a", "2");
  const { id: to } = await workspace.capture();
  expect(await workspace.diff(from, to)).toMatchObject([{ path: "a", status: "modified" }]);
  await workspace.collectGarbage([]);
  await expect(workspace.diff(from, to)).rejects.toMatchObject({ code: "unknown-capture" });
});

function naiveDifference(from: FileTree, to: FileTree): [string, FileState | undefined, FileState | undefined][] {
  const paths = new Set([...from.entries(), ...to.entries()].map(([path]) => path));
  return [...paths]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((path): [string, FileState | undefined, FileState | undefined] => [path, from.get(path), to.get(path)])
    .filter(([, before, after]) => JSON.stringify(before) !== JSON.stringify(after));
}
