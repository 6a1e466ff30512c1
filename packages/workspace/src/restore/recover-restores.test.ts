import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { objectId } from "../model/object-id.ts";
import { bootId } from "./boot-id.ts";
import { Directories } from "./directories.ts";
import { type Action, planRestore } from "./plan-restore.ts";
import { recoverRestores } from "./recover-restores.ts";
import { RestoreJournal } from "./restore-journal.ts";
import { Stage } from "./stage.ts";
import { listing, Sandbox } from "./testing/sandbox.ts";
import type { Transition } from "./transitions.ts";

let sandbox: Sandbox;
let turn: Extract<Transition, { before: unknown }> & ReturnType<typeof work>;
beforeEach(() => {
  sandbox = new Sandbox();
  turn = work();
});
afterEach(() => sandbox.dispose());

function work() {
  sandbox.write("modified", "before\n");
  sandbox.write("deleted", "before\n");
  const before = sandbox.capture();
  sandbox.write("modified", "after\n");
  sandbox.remove("deleted");
  sandbox.write("created", "after\n");
  return { before, after: sandbox.capture() };
}

/** As if the process had died right after the commit; another `boot` makes it a power loss. */
function commitAndDie(transitions: Transition[], boot = bootId()): { stage: string; actions: readonly Action[] } {
  const directories = new Directories(sandbox.root);
  const { actions } = planRestore(directories, sandbox.objects, { transitions });
  const staged = actions.map((action) => ({ ...action, home: 0 }));
  const stage = new Stage(directories, sandbox.context.tag, "1", [""]);
  stage.create();
  for (const [index, { path, after }] of staged.entries()) {
    if (after && after.kind !== "directory") stage.write(0, index, after, sandbox.objects.read(after.hash, path));
  }
  new RestoreJournal(sandbox.database).begin({ id: "1", root: directories.root, homes: [""], actions: staged, boot });
  directories.close();
  return { stage: join(sandbox.root, `.retake-stage-${sandbox.context.tag}-1`), actions };
}

test("[X9] completes a committed restore, once", async () => {
  commitAndDie([turn]);
  expect((await recoverRestores(sandbox.context)).finished).toEqual([{ id: "1", displaced: [], blocked: [] }]);
  expect(listing(sandbox.capture())).toEqual(listing(turn.before));
  expect(await recoverRestores(sandbox.context)).toEqual({ finished: [], stagesRemoved: 0 });
});

test("[X9] the next restore completes it first", async () => {
  commitAndDie([turn]);
  const result = await sandbox.restore({ transitions: [turn] });
  expect(result.plan.outcome).toBe("nothing-to-do");
  expect(listing(sandbox.capture())).toEqual(listing(turn.before));
});

test("[X9] removes a stage without a commit, but not that of another store", async () => {
  mkdirSync(join(sandbox.root, `.retake-stage-${sandbox.context.tag}-2`));
  writeFileSync(join(sandbox.root, `.retake-stage-${sandbox.context.tag}-2`, "n0"), "x");
  mkdirSync(join(sandbox.root, ".retake-stage-somebody-3"));
  expect(await recoverRestores(sandbox.context)).toEqual({ finished: [], stagesRemoved: 1 });
  expect(readdirSync(sandbox.root).filter((name) => name.startsWith(".retake"))).toEqual([".retake-stage-somebody-3"]);
});

test("[X9] recreates a deleted stage from the store", async () => {
  const { stage } = commitAndDie([turn]);
  rmSync(stage, { recursive: true });
  await recoverRestores(sandbox.context);
  expect(listing(sandbox.capture())).toEqual(listing(turn.before));
});

test("[U4] with the stage gone, the user's later file stays, because the order is unknown", async () => {
  const { stage } = commitAndDie([turn]);
  rmSync(stage, { recursive: true });
  for (const path of ["modified", "created", "deleted"]) sandbox.write(path, "user\n");
  const { finished } = await recoverRestores(sandbox.context);
  expect(finished[0]?.blocked.toSorted()).toEqual(["created", "deleted", "modified"]);
  for (const path of ["modified", "created", "deleted"]) expect(sandbox.read(path)).toBe("user\n");
});

test("[U4] what the user wrote over a restored file stays", async () => {
  const { stage } = commitAndDie([turn]);
  const index = readdirSync(stage).indexOf("n2");
  expect(index).toBeGreaterThanOrEqual(0);
  // The crash came after this rename, and the user's edit after the crash.
  rmSync(join(stage, "n2"));
  sandbox.write("modified", "user\n");
  const { finished } = await recoverRestores(sandbox.context);
  expect(finished).toMatchObject([{ displaced: [], blocked: [] }]);
  expect(sandbox.read("modified")).toBe("user\n");
  expect(sandbox.read("deleted")).toBe("before\n");
});

test("[U4] with every file in place only the flush is missing: the user's later changes stay", async () => {
  const { stage } = commitAndDie([turn]);
  new RestoreJournal(sandbox.database).applied("1");
  rmSync(stage, { recursive: true });
  // As if nothing had been restored, or as if it were still to be: the user did both.
  sandbox.write("modified", "after\n");
  sandbox.write("created", "after\n");
  const { finished } = await recoverRestores(sandbox.context);
  expect(finished).toEqual([{ id: "1", displaced: [], blocked: [] }]);
  expect(listing(sandbox.capture())).toEqual(listing(turn.after));
  expect(await recoverRestores(sandbox.context)).toEqual({ finished: [], stagesRemoved: 0 });
});

test("[X2] saves a file written before the recovery reached it, and keeps it named as long as needed", async () => {
  commitAndDie([turn]);
  sandbox.write("modified", "user\n");
  sandbox.write("created", "user too\n");
  const { finished } = await recoverRestores(sandbox.context);
  const saved = finished[0]?.displaced.map(({ path, hash }) => [path, sandbox.objects.read(hash, path).toString()]);
  expect(saved?.toSorted()).toEqual([
    ["created", "user too\n"],
    ["modified", "user\n"],
  ]);
  expect(listing(sandbox.capture())).toEqual(listing(turn.before));
});

test("gc keeps the content of the plan until the restore is done", async () => {
  const journal = new RestoreJournal(sandbox.database);
  commitAndDie([turn]);
  expect([...journal.objects()]).toContain(objectId("blob", Buffer.from("before\n")));
  await recoverRestores(sandbox.context);
  expect([...journal.objects()]).toEqual([]);
});

/** Remains of the restore of one file after a power loss, besides its old state. */
const remains = ["before", "whole", "empty", "cut", "zeros", "nothing-staged", "torn-stage", "moved-away"] as const;

test("[X9] after a power loss every file is in the state after, whatever had reached the disk", async () => {
  const fates = fc.array(fc.constantFrom(...remains), { minLength: 3, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fates, fc.boolean(), fc.boolean(), async (fate, stageLost, inPlace) => {
      for (const path of ["modified", "deleted", "created"]) rmSync(sandbox.path(path), { force: true });
      const again = work();
      const { stage, actions } = commitAndDie([again], "another boot");
      for (const [index, { path, after }] of actions.entries()) {
        loseUnflushed(fate[index] ?? "before", stage, index, path, after);
      }
      if (stageLost) rmSync(stage, { recursive: true });
      if (inPlace) new RestoreJournal(sandbox.database).applied("1");
      const { finished } = await recoverRestores(sandbox.context);
      expect(finished).toMatchObject([{ blocked: [] }]);
      expect(listing(sandbox.capture())).toEqual(listing(again.before));
      expect(await recoverRestores(sandbox.context)).toEqual({ finished: [], stagesRemoved: 0 });
    }),
    cases(60, 1000),
  );
});

function loseUnflushed(
  fate: (typeof remains)[number],
  stage: string,
  index: number,
  path: string,
  after: Action["after"],
): void {
  const staged = join(stage, `n${index}`);
  if (after?.kind !== "file") {
    // A file to delete: it is still there, or was moved away.
    if (fate !== "before") renameSync(sandbox.path(path), join(stage, `o${index}`));
    return;
  }
  const whole = sandbox.objects.read(after.hash, path);
  if (fate === "nothing-staged") rmSync(staged);
  if (fate === "torn-stage") writeFileSync(staged, "");
  if (fate === "moved-away" && existsSync(sandbox.path(path))) renameSync(sandbox.path(path), join(stage, `o${index}`));
  const contents = { whole, empty: "", cut: whole.subarray(0, 3), zeros: Buffer.alloc(whole.length) };
  if (!(fate in contents)) return;
  rmSync(staged);
  rmSync(sandbox.path(path), { force: true });
  sandbox.write(path, contents[fate as keyof typeof contents], fate === "empty" ? 0o600 : after.mode);
}

test("[U4] after a power loss, what the user wrote later stays", async () => {
  commitAndDie([turn], "another boot");
  for (const path of ["modified", "created", "deleted"]) sandbox.write(path, "user\n");
  const { finished } = await recoverRestores(sandbox.context);
  expect(finished[0]?.blocked.toSorted()).toEqual(["created", "deleted", "modified"]);
  for (const path of ["modified", "created", "deleted"]) expect(sandbox.read(path)).toBe("user\n");
});
