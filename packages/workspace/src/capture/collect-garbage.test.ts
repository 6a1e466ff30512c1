import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CaptureId } from "../model/model.ts";
import { encodeChanges } from "../model/state-codec.ts";
import { treeId } from "../model/tree-id.ts";
import type { WorkspaceFiles } from "../open-files.ts";
import { mutateTree, randomFrom } from "../testing/random-tree.ts";
import { temporaryWorkspaces } from "../testing/temporary-workspace.ts";
import { CaptureLog } from "./capture-log.ts";

const temporary = temporaryWorkspaces();

function readAll(workspace: WorkspaceFiles, capture: CaptureId): string {
  for (const [path, state] of workspace.files(capture).entries()) {
    if (state.kind !== "directory") workspace.objects.read(state.hash, path);
  }
  return treeId(workspace.files(capture));
}

test.each([11, 12, 13])("kept captures are unchanged, with all content, seed %i", async (seed) => {
  const place = temporary();
  const workspace = place.open();
  const random = randomFrom(seed);
  const trees = new Map<CaptureId, string>();
  for (let turn = 0; turn < 12; turn += 1) {
    for (let more = 0; more < 3; more += 1) mutateTree(random, place.root, { ignore: true });
    const { id } = await workspace.capture();
    trees.set(id, treeId(workspace.files(id)));
  }
  const keep = [...trees.keys()].filter(() => random() < 0.4);
  const last = [...trees.keys()].at(-1) ?? "";
  await workspace.collectGarbage(keep);
  for (const id of [...keep, last]) expect(readAll(workspace, id)).toBe(trees.get(id));
  for (const id of trees.keys()) {
    if (!keep.includes(id) && id !== last) expect(() => workspace.files(id)).toThrow(/no capture/);
  }
  place.write("later", "on");
  const later = await workspace.capture();
  expect(later.changes.map(({ path }) => path)).toEqual(["later"]);
  await workspace.collectGarbage([]);
  readAll(workspace, later.id);
});

test("frees the space of captures that are not kept", async () => {
  const place = temporary();
  const noise = randomFrom(5);
  const content = () => Buffer.from(Array.from({ length: 200_000 }, () => Math.floor(noise() * 256)));
  const workspace = place.open();
  for (let turn = 0; turn < 6; turn += 1) {
    for (let file = 0; file < 8; file += 1) place.write(`f${file}`, content());
    await workspace.capture();
  }
  const size = () =>
    readdirSync(join(place.store, "packs")).reduce(
      (sum, name) => sum + statSync(join(place.store, "packs", name)).size,
      0,
    );
  const before = size();
  const { captures, bytes } = await workspace.collectGarbage([]);
  expect(captures).toBe(5);
  expect(bytes).toBeGreaterThan(7_000_000);
  expect(size()).toBeLessThan(before / 5);
});

test("a collection in one process cannot delete what a capture in another relies on", async () => {
  const place = temporary();
  place.write("a", "one");
  const one = place.open();
  const other = place.open();
  const first = await one.capture();
  place.write("a", "two");
  await one.capture();
  // `other` has seen neither; objects it finds in the store are only in captures that will be deleted.
  place.write("a", "one");
  const running = Array.from({ length: 20 }, async (_, index) => {
    place.write("b", `${index % 3}`);
    return [await other.capture(), await one.collectGarbage([])] as const;
  });
  await Promise.all(running);
  const { id } = await other.capture();
  expect(id).not.toBe(first.id);
  readAll(other, id);
});

test("a stat cache that names collected objects is not trusted", async () => {
  const place = temporary();
  place.write("a", "one");
  const one = place.open();
  const other = place.open();
  await one.capture();
  await other.capture();
  place.write("a", "two");
  const second = await one.capture();
  await place.close(one);
  // As if `other` had scanned before the change and committed after it.
  const log = new CaptureLog(other.database);
  const workspace = log.workspaceId(Buffer.from(place.root));
  const { tree: _, follows: __, ...first } = log.get(second.parent ?? "");
  log.add({ ...first, id: "other", workspace, parent: second.parent, changes: encodeChanges([]) });
  await other.collectGarbage([]);
  await place.close(other);
  const again = place.open();
  const { id, changes } = await again.capture();
  expect(changes.map(({ path }) => path)).toEqual(["a"]);
  readAll(again, id);
});
