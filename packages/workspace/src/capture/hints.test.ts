import { mkdirSync, renameSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { amount, seeds } from "../../../../testing/budget.ts";
import type { WorkspaceFiles } from "../open-files.ts";
import { GitOracle } from "../testing/git-oracle.ts";
import { growTree, mutateTree, randomFrom } from "../testing/random-tree.ts";
import { temporaryWorkspaces } from "../testing/temporary-workspace.ts";

const temporary = temporaryWorkspaces();
const rounds = amount("steps", 25, 400);

/** Watching begins some time after the first capture; hints are used after the next full scan. */
async function untilHinted(workspace: WorkspaceFiles): Promise<void> {
  for (;;) {
    await workspace.capture();
    const { receipt } = await workspace.capture({ hints: true });
    if (receipt.foundBy === "hints") return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test.each(seeds(2))("captures by hints equal those of a full scan and of git, seed %i", async (seed) => {
  const place = temporary();
  const random = randomFrom(seed);
  growTree(random, place.root, { ignore: true });
  const workspace = place.open({ watch: true });
  await untilHinted(workspace);
  const oracle = new GitOracle(place.root);
  for (let round = 0; round < rounds; round += 1) {
    mutateTree(random, place.root, { ignore: true });
    const hinted = await workspace.capture({ hints: true });
    expect(hinted.receipt.foundBy, `round ${round}`).toBe("hints");
    expect(await workspace.treeId(hinted.id), `round ${round}`).toBe(oracle.treeId());
    if (round % 5 < 4) continue;
    const full = await workspace.capture();
    expect(full.changes, `round ${round}: what hints missed`).toEqual([]);
  }
  oracle.close();
});

test("follows moved directories, and new directories in place of old ones", async () => {
  const place = temporary();
  place.write("a/deep/one", "1");
  const workspace = place.open({ watch: true });
  await untilHinted(workspace);
  const changed = async () =>
    (await workspace.capture({ hints: true })).changes.map(({ path, after }) => `${after ? "+" : "-"}${path}`);
  renameSync(place.path("a"), place.path("b"));
  mkdirSync(place.path("a/deep"), { recursive: true });
  place.write("a/deep/two", "2");
  expect(await changed()).toEqual(["-a/deep/one", "+a/deep/two", "+b/deep/one"]);
  place.write("b/deep/one", "3");
  place.write("a/deep/new/three", "3");
  expect(await changed()).toEqual(["+a/deep/new/three", "+b/deep/one"]);
  place.write("a/deep/new/three", "4");
  rmSync(place.path("b"), { recursive: true });
  expect(await changed()).toEqual(["+a/deep/new/three", "-b/deep/one"]);
});

test("watches a directory that was made anew, also with the inode of the deleted one", async () => {
  const place = temporary();
  place.write("a/deep/one", "1");
  const workspace = place.open({ watch: true });
  await untilHinted(workspace);
  for (const scan of [{ hints: true }, {}]) {
    rmSync(place.path("a"), { recursive: true });
    place.write("a/deep/one", "2");
    await workspace.capture(scan);
    place.write("a/deep/one", "3");
    expect((await workspace.capture({ hints: true })).changes.map(({ path }) => path)).toEqual(["a/deep/one"]);
  }
});
