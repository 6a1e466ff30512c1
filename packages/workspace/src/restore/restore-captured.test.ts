/** Restores real captures: both halves of a workspace together. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFiles, type WorkspaceFiles } from "../open-files.ts";
import { materialize } from "./materialize.ts";
import type { RestoreRequest } from "./plan-restore.ts";
import { restoreFiles } from "./restore-files.ts";
import { whenFlushed } from "./testing/sandbox.ts";
import { lockWorkspace, type WorkspaceLock } from "./workspace-lock.ts";

let directory: string;
let root: string;
let workspace: WorkspaceFiles;
let lock: WorkspaceLock;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "retake-captured-"));
  root = join(directory, "projét");
  mkdirSync(root);
  const store = join(directory, "store");
  workspace = openFiles({ root, store, watch: false });
  const held = lockWorkspace(store, workspace.root);
  if (!held) throw new Error("locked");
  lock = held;
});
afterEach(async () => {
  lock.release();
  await workspace.close();
  rmSync(directory, { recursive: true, force: true });
});

function write(path: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content, { mode });
}

async function restore(request: RestoreRequest) {
  return whenFlushed(await restoreFiles(workspace.restoreContext(lock), request, () => 0));
}

test("[U1] [L12] a captured tree that is restored and materialized has git's own id", async () => {
  write("src/main.ts", "one\n");
  write("run.sh", "#!/bin/sh\n", 0o755);
  write("bin", "\0\xff");
  symlinkSync("src/main.ts", join(root, "link"));
  mkdirSync(join(root, "empty"));
  const first = await workspace.capture();
  write("src/main.ts", "two\n");
  write("new/file", "new\n");
  for (const path of ["run.sh", "bin", "link", "empty"]) rmSync(join(root, path), { recursive: true });
  write("bin/now/a/directory", "x");
  const second = await workspace.capture();

  await restore({ transitions: [{ changes: workspace.changes(first.id, second.id) }] });
  const third = await workspace.capture();
  expect(await workspace.treeId(third.id)).toBe(await workspace.treeId(first.id));
  expect([...workspace.files(third.id).entries()]).toEqual([...workspace.files(first.id).entries()]);

  await restore({ transitions: [{ before: workspace.files(second.id), after: workspace.files(third.id) }] });
  const fourth = await workspace.capture();
  expect([...workspace.files(fourth.id).entries()]).toEqual([...workspace.files(second.id).entries()]);

  const copy = join(directory, "copy");
  materialize(workspace.files(first.id), workspace.objects, copy, workspace.root);
  expect(readFileSync(join(copy, "src/main.ts"), "utf8")).toBe("one\n");
});

test("[U4] a file that became ignored during the turn stays, whatever is undone or redone", async () => {
  const big = "x".repeat(300 * 1024);
  write("data.bin", big);
  write("a", "1\n");
  const first = await workspace.capture();
  write(".gitignore", "data.bin\n");
  write("a", "2\n");
  const second = await workspace.capture();
  const undone = await restore({ transitions: [{ changes: workspace.changes(first.id, second.id) }] });
  expect(readFileSync(join(root, "data.bin"), "utf8")).toBe(big);
  expect(readFileSync(join(root, "a"), "utf8")).toBe("1\n");
  await restore({ transitions: [{ changes: undone.plan.changes }] });
  expect(readFileSync(join(root, "data.bin"), "utf8")).toBe(big);
  expect(readFileSync(join(root, ".gitignore"), "utf8")).toBe("data.bin\n");
});

test("[X2] contents that a restore saved and displaced survive gc while a capture or the journal names them", async () => {
  write("a", "1\n");
  const first = await workspace.capture();
  write("a", "2\n");
  const second = await workspace.capture();
  const transitions = [{ changes: workspace.changes(first.id, second.id) }];
  const result = await restoreFiles(workspace.restoreContext(lock), { transitions }, () => {
    write("a", "in between\n");
  });
  if (result.kind !== "restored") throw new Error("refused");
  await result.flushed;
  await workspace.capture();
  await workspace.collectGarbage([]);
  const [displaced] = result.displaced;
  expect(displaced && workspace.objects.read(displaced.hash, "a").toString()).toBe("in between\n");
});
