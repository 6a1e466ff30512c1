import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import type { FileState, FileTree } from "../model/model.ts";
import { mutateTree, randomFrom } from "../testing/random-tree.ts";
import { temporaryWorkspaces } from "../testing/temporary-workspace.ts";

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

function naiveDifference(from: FileTree, to: FileTree): [string, FileState | undefined, FileState | undefined][] {
  const paths = new Set([...from.entries(), ...to.entries()].map(([path]) => path));
  return [...paths]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((path): [string, FileState | undefined, FileState | undefined] => [path, from.get(path), to.get(path)])
    .filter(([, before, after]) => JSON.stringify(before) !== JSON.stringify(after));
}
