/**
 * Going to another take or to another time, on the command line and in the model. The files go along, and the changes of other
 * threads stay (`disk-model.ts`).
 */
import type { Meaning } from "../../packages/core/src/testing/learner.ts";
import { branchFiles, branchOff, newTake } from "../../packages/core/src/testing/model-takes.ts";
import { changesBetween, copyOf, type Facts, type Files } from "../../packages/core/src/testing/naive-model.ts";
import { liveTakes, patch, towards } from "../../packages/core/src/testing/walk-parts.ts";
import type { Answer } from "../testing/retake-place.ts";
import type { CliWalker } from "./cli-walker.ts";
import { isBroken, tryOnly } from "./history-steps.ts";
import type { WalkedThread } from "./walked-thread.ts";

export async function jump(walker: CliWalker, thread: WalkedThread, a: number): Promise<void> {
  walker.look(thread);
  const { model } = thread;
  const target = thread.heads[a % Math.max(1, thread.heads.length)];
  const past = target === undefined ? undefined : thread.pasts.get(target);
  if (!target || !past) return;
  const landing = await land(walker, thread, ["jump", target], past.files);
  if (!landing) return;
  const { files } = landing;
  const there = model.exists(past.take);
  const activate = (facts: Facts) => {
    facts.set(`take:${past.take}`, { ...facts.get(`take:${past.take}`), deleted: false });
    facts.set("active", { take: past.take });
  };
  // Changes of other threads in a take that becomes active are no part of the jump, and stay when it is taken back.
  const isNoted = there && past.take !== model.active;
  const meaning: Meaning = {
    role: "whole",
    takes: new Map([[past.take, towards(there ? model.facts(past.take) : past.facts, past.facts)]]),
    files: changesBetween(there ? model.files(past.take) : past.files, isNoted ? past.files : files),
    filesOf: past.take,
    ...(past.take === model.active ? {} : { thread: activate }),
  };
  const { status, answer } = await walker.run(thread, ...landing.args);
  if (status === 3 && wouldBreak(thread, there ? meaning : undefined)) return;
  if (status !== 0) throw new Error(`refused without a reason: ${JSON.stringify(answer)}`);
  if (answer["op_id"] === null) {
    if (!there || thread.wouldChange(meaning)) throw new Error(`no jump was made: ${JSON.stringify(answer)}`);
    return;
  }
  if (there) {
    thread.done(answer["op_id"], meaning);
    if (isNoted) thread.settle(files);
  } else {
    const take = await activeTake(walker, thread);
    model.takes.set(take, { items: copyOf(past.items), birth: model.seq });
    thread.done(answer["op_id"], { role: "whole", thread: newTake(thread, take, past.name) });
    thread.settle(files);
  }
  walker.wrote(thread, files);
}

export async function branch(walker: CliWalker, thread: WalkedThread, a: number): Promise<void> {
  const { model, take, order } = thread;
  if (order.length === 0 || liveTakes(model.threadFacts).length > 5) return;
  walker.look(thread);
  const at = a % order.length;
  const landing = await land(walker, thread, ["branch", order[at] ?? ""], branchFiles(thread, order, at));
  if (!landing) return;
  const { status, answer } = await walker.run(thread, ...landing.args);
  if (status !== 0) throw new Error(`refused without a reason: ${JSON.stringify(answer)}`);
  const made = answer["take"].id as string;
  const name = model.threadFacts.get(`take:${take}`)?.["name"] as string;
  branchOff(thread, { take: made, order, at, nameOf: () => "some" });
  thread.done(answer["op_id"], { role: "step", thread: newTake(thread, made, name) });
  arrive(walker, thread, landing.files);
}

export async function switchTake(walker: CliWalker, thread: WalkedThread, a: number): Promise<void> {
  const takes = liveTakes(thread.model.threadFacts);
  const [take] = takes[a % takes.length] as [string, string];
  const meaning: Meaning = { role: "step", thread: (facts) => void facts.set("active", { take }) };
  await leave(walker, thread, ["switch", take], take, meaning);
}

export async function deleteTake(walker: CliWalker, thread: WalkedThread, a: number): Promise<void> {
  const takes = liveTakes(thread.model.threadFacts);
  const [take] = takes[a % takes.length] as [string, string];
  const others = takes.filter(([id]) => id !== take).sort(([, one], [, two]) => (one < two ? -1 : 1));
  const next = others[0]?.[0];
  if (next === undefined) return;
  const meaning: Meaning = {
    role: "step",
    thread: (facts) => {
      patch(`take:${take}`, { deleted: true })(facts);
      if (facts.get("active")?.["take"] === take) facts.set("active", { take: next });
    },
  };
  await leave(walker, thread, ["delete", take], take === thread.take ? next : thread.take, meaning);
}

/** Makes another take active, with its files. */
async function leave(
  walker: CliWalker,
  thread: WalkedThread,
  args: string[],
  next: string,
  meaning: Meaning,
): Promise<void> {
  walker.look(thread);
  const landing = await land(walker, thread, args, thread.model.files(next));
  if (!landing) return;
  await walker.change(thread, landing.args, meaning);
  arrive(walker, thread, landing.files);
}

/**
 * The outcome of a command that puts these files of the thread on disk, and the command with which it is reached: where
 * another thread changed the same places, it must be refused first, and then keeps their files.
 */
async function land(
  walker: CliWalker,
  thread: WalkedThread,
  args: string[],
  wanted: Files,
): Promise<{ readonly args: string[]; readonly files: Files } | undefined> {
  const landing = walker.landing(thread, wanted);
  if (!landing) {
    await tryOnly(walker, thread, args);
    return undefined;
  }
  const { files, conflicts } = landing;
  if (conflicts.length === 0) return { args, files };
  const { status, answer } = await walker.run(thread, ...args);
  const found = (answer["error"]?.details?.conflicts ?? []) as { path: string; kind: string }[];
  const named = found.map(({ path, kind }) => `${path} ${kind}`).sort();
  if (status !== 3 || `${named}` !== `${conflicts.map((path) => `${path} other-thread`)}`)
    throw new Error(`the conflicts are ${named}, not ${conflicts}: ${JSON.stringify(answer)}`);
  walker.counts.conflicts += 1;
  return { args: [...args, "--on-conflict", "keep"], files };
}

/** The take that is active now has these files on disk. */
function arrive(walker: CliWalker, thread: WalkedThread, files: Files): void {
  thread.settle(files);
  walker.wrote(thread, files);
}

function wouldBreak(thread: WalkedThread, meaning: Meaning | undefined): boolean {
  const facts = new Map(thread.model.threadFacts);
  meaning?.thread?.(facts);
  return isBroken(facts);
}

async function activeTake(walker: CliWalker, thread: WalkedThread): Promise<string> {
  const { takes } = await walker.read(thread, "takes");
  return (takes as Answer[]).find(({ active }) => active)?.["id"];
}
