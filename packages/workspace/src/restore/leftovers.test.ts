import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Deletions } from "./deletions.ts";
import { Leftovers } from "./leftovers.ts";
import { recoverRestores } from "./recover-restores.ts";
import { restoreFiles } from "./restore-files.ts";
import { Sandbox } from "./testing/sandbox.ts";

let sandbox: Sandbox;
let left: string;
beforeEach(() => {
  sandbox = new Sandbox();
  left = sandbox.context.leftovers;
});
afterEach(() => sandbox.dispose());

function turn() {
  sandbox.write("a", "before\n");
  const before = sandbox.capture();
  sandbox.write("a", "after\n");
  return { before, after: sandbox.capture() };
}

test("[X9] a stage has left the workspace when a restore returns, and the store when it is flushed", async () => {
  const result = await restoreFiles(sandbox.context, { transitions: [turn()] }, () => 0);
  if (result.kind !== "restored") throw new Error(result.kind);
  expect(readdirSync(sandbox.root)).toEqual(["a"]);
  await result.flushed;
  expect(existsSync(left)).toBe(false);
});

test("[X9] recovery deletes the stages that a killed process left in the store", async () => {
  mkdirSync(join(left, "1-0"), { recursive: true });
  writeFileSync(join(left, "1-0", "o0"), "old");
  expect(await recoverRestores(sandbox.context)).toEqual({ finished: [], stagesRemoved: 0 });
  expect(existsSync(left)).toBe(false);
});

test("[X2] does not follow a link in the place of a stage", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "retake-elsewhere-"));
  try {
    writeFileSync(join(elsewhere, "o0"), "somebody's");
    symlinkSync(elsewhere, join(sandbox.root, "stage"));
    const leftovers = new Leftovers(left);
    expect(leftovers.take(join(sandbox.root, "stage"), "1-0")).toBe(true);
    await leftovers.clear(new Deletions());
    expect(readFileSync(join(elsewhere, "o0"), "utf8")).toBe("somebody's");
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
});

test("[X9] a stage that cannot be moved to the store, as from another file system, is removed in place", async () => {
  writeFileSync(left, "");
  const result = await sandbox.restore({ transitions: [turn()] });
  expect(result.kind).toBe("restored");
  expect(readdirSync(sandbox.root)).toEqual(["a"]);
  expect(sandbox.read("a")).toBe("before\n");
});
