import { existsSync, linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listing, Sandbox } from "./testing/sandbox.ts";

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.dispose());

/** What a turn did: the captures around it. */
function turn(work: () => void) {
  const before = sandbox.capture();
  work();
  return { before, after: sandbox.capture() };
}

describe("taking back a turn", () => {
  test("[U1] puts back what it modified, created, deleted and renamed", async () => {
    sandbox.write("kept.txt", "kept\n");
    sandbox.write("modified.txt", "one\n");
    sandbox.write("deleted/deep/file.txt", "deleted\n", 0o750);
    sandbox.write("old-name.txt", "renamed\n");
    sandbox.link("link", "kept.txt");
    mkdirSync(sandbox.path("empty"), { mode: 0o711 });
    const transition = turn(() => {
      sandbox.write("modified.txt", "two\n", 0o755);
      sandbox.write("created/deep/file.txt", "created\n");
      sandbox.remove("deleted");
      renameSync(sandbox.path("old-name.txt"), sandbox.path("new-name.txt"));
      sandbox.remove("link");
      sandbox.link("link", "modified.txt");
      rmdirSync(sandbox.path("empty"));
    });
    const untouched = statSync(sandbox.path("kept.txt")).mtimeMs;
    const result = await sandbox.restore({ transitions: [transition] });
    expect(result).toMatchObject({ kind: "restored", committed: "committed", displaced: [], blocked: [] });
    expect(listing(sandbox.capture())).toEqual(listing(transition.before));
    expect(statSync(sandbox.path("kept.txt")).mtimeMs).toBe(untouched);
    expect(readdirSync(sandbox.root).sort()).toEqual([
      "deleted",
      "empty",
      "kept.txt",
      "link",
      "modified.txt",
      "old-name.txt",
    ]);
  });

  test("[X2] can itself be taken back", async () => {
    sandbox.write("a", "1\n");
    const transition = turn(() => {
      sandbox.write("a", "2\n");
      sandbox.write("d/b", "new\n");
    });
    const undone = await sandbox.restore({ transitions: [transition] });
    await sandbox.restore({ transitions: [{ changes: undone.plan.changes }] });
    expect(listing(sandbox.capture())).toEqual(listing(transition.after));
  });
});
