import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { objectId } from "../model/object-id.ts";
import type { WorkspaceFiles } from "../open-files.ts";
import { temporaryWorkspaces } from "../testing/temporary-workspace.ts";

const temporary = temporaryWorkspaces();
/** Enough files that several batches wait for the second thread. */
const files = 6_500;
const pathOf = (index: number) => `d${index % 90}/f${index}`;

/** Every file of a capture with its hash; some contents are read too. */
function hashes(workspace: WorkspaceFiles, capture: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [path, state] of workspace.files(capture).entries()) {
    if (state.kind !== "file") throw new Error(`${path} is a ${state.kind}`);
    found.set(path, state.hash);
    if (found.size % 50 === 0) expect(workspace.objects.read(state.hash, path).length).toBe(state.size);
  }
  return found;
}

test("captures all files that two threads read during the scan, also after cancelled scans", async () => {
  const place = temporary();
  const expected = new Map<string, string>();
  const write = (index: number, content: string) => {
    place.write(pathOf(index), content);
    expected.set(pathOf(index), objectId("blob", Buffer.from(content)));
  };
  for (let index = 0; index < files; index += 1) write(index, `${index}\n`.repeat(200));
  const workspace = place.open({ thread: true });
  for (let round = 0; round < 2; round += 1) {
    const controller = new AbortController();
    const cancelled = workspace.capture({ signal: controller.signal, onProgress: () => controller.abort() });
    await expect(cancelled).rejects.toMatchObject({ code: "cancelled" });
  }
  const first = await workspace.capture();
  expect(first.parent).toBeUndefined();
  expect(hashes(workspace, first.id)).toEqual(expected);

  // The new versions have the old ones as predecessors.
  for (let index = 0; index < files; index += 3) write(index, `${index}\n`.repeat(201));
  rmSync(place.path("d1"), { recursive: true });
  for (const path of [...expected.keys()]) if (path.startsWith("d1/")) expected.delete(path);
  expect(hashes(workspace, (await workspace.capture()).id)).toEqual(expected);
});
