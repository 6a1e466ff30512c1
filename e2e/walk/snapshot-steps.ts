/**
 * Snapshots on the command line and in the model. Going back to one makes every file what it was in it; the changes of
 * other threads since then stay (X5), and files that the user changed since are conflicts: the policy decides.
 */
import { changesBetween, type Files } from "../../packages/core/src/testing/naive-model.ts";
import type { Answer } from "../testing/retake-place.ts";
import type { CliWalker } from "./cli-walker.ts";
import { tryOnly } from "./history-steps.ts";
import { changedPaths, onDisk, withPaths } from "./walked-files.ts";
import type { WalkedThread } from "./walked-thread.ts";

export async function snapshot(walker: CliWalker, thread: WalkedThread): Promise<void> {
  const { status, answer } = await walker.run(thread, "snapshot", walker.name("label"));
  if (status !== 0) throw new Error(`refused without a reason: ${JSON.stringify(answer)}`);
  thread.snapshots.push({ id: answer["id"], files: walker.files });
  walker.saw(thread);
}

const POLICIES = ["abort", "keep", "overwrite"] as const;

export async function restore(walker: CliWalker, thread: WalkedThread, a: number, b: number): Promise<void> {
  walker.look(thread);
  const chosen = thread.snapshots[a % Math.max(1, thread.snapshots.length)];
  if (!chosen) return;
  const policy = POLICIES[b % 3] as (typeof POLICIES)[number];
  const args = ["restore", chosen.id, ...(policy === "abort" ? [] : ["--on-conflict", policy])];
  const landing = walker.landing(thread, chosen.files);
  if (!landing || landing.conflicts.length > 0) return tryOnly(walker, thread, args);
  const wanted = landing.files;
  const edits = walker.edits(thread, chosen.files);
  const isIn = (paths: readonly string[]) => changedPaths(walker.files, wanted).filter((path) => paths.includes(path));
  if (isIn(edits.unsure).length > 0) return tryOnly(walker, thread, args);
  const edited = isIn(edits.sure);
  const files = policy === "overwrite" ? wanted : withPaths(wanted, walker.files, edited);
  const changed = changedPaths(walker.files, files);
  // A restore of empty directories alone is a step too, of which the model knows nothing.
  const { status, answer } = await walker.run(thread, ...args, ...(changed.length === 0 ? ["--dry-run"] : []));
  if (policy === "abort" && edited.length > 0) {
    const conflicts = (answer["error"]?.details?.conflicts ?? []) as Answer[];
    expectPaths("the conflicts", status === 3 ? conflicts.map(({ path }) => path) : [], edited);
    walker.counts.conflicts += 1;
    return;
  }
  if (status !== 0) throw new Error(`refused without a reason: ${JSON.stringify(answer)}`);
  expectPaths("files_reverted", reverted(answer, walker.files, files), changed);
  if (changed.length === 0) return;
  thread.done(answer["op_id"], { role: "whole", files: changesBetween(walker.files, files) });
  walker.wrote(thread, files);
}

/** The answer names empty directories too; the model has none. */
function reverted(answer: Answer, before: Files, after: Files): string[] {
  const known = { ...onDisk(before), ...onDisk(after) };
  return ((answer["files_reverted"] ?? []) as string[]).filter((path) => path in known);
}

function expectPaths(what: string, found: readonly string[], expected: readonly string[]): void {
  const [is, should] = [found, expected].map((paths) => [...paths].sort().join(", "));
  if (is !== should) throw new Error(`${what} are ${is}, not ${should}`);
}
