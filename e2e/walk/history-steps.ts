/**
 * Moving along the history, on the command line and in the model.
 *
 * Where what is taken back and what stays changed the same thing, replaying and merging need not agree; then the
 * command is only tried with `--dry-run`, and must refuse in earnest what it would refuse there.
 */
import type { Meaning } from "../../packages/core/src/testing/learner.ts";
import {
  branchOff,
  chooseTries,
  hasOwnWork,
  newTake,
  promptIsThere,
} from "../../packages/core/src/testing/model-takes.ts";
import { chooseRedo, chooseUndo, groupOf, overlap } from "../../packages/core/src/testing/naive-history.ts";
import { copyOf, type Facts, type Files, type Flip } from "../../packages/core/src/testing/naive-model.ts";
import { liveTakes, patch, towards } from "../../packages/core/src/testing/walk-parts.ts";
import type { Answer } from "../testing/retake-place.ts";
import { type CliWalker, type Instructed, namesChanged } from "./cli-walker.ts";
import { changedPaths, onDisk } from "./walked-files.ts";
import type { WalkedThread } from "./walked-thread.ts";

export interface Wish {
  readonly count: number;
  readonly steps: boolean;
  /** Only the conversation (0) or only the files (1). */
  readonly half?: number;
}

export async function undo(walker: CliWalker, thread: WalkedThread, wish: Wish, keep_prompt: boolean): Promise<void> {
  thread.note(walker.files);
  const { model, take } = thread;
  const scope = wish.half === undefined ? "both" : wish.half === 0 ? "conversation" : "files";
  const choice = chooseUndo(model, take, { ...wish, scope });
  const args = ["undo", String(wish.count), ...(wish.steps ? ["--step"] : [])];
  if (keep_prompt) args.push("--keep-prompt");
  if (scope !== "both") args.push("--scope", scope);
  if (choice.effective === 0) {
    const unclear = overlap(model, choice.tried).length > 0;
    const { status, answer } = await walker.run(thread, "undo", "--dry-run", ...args.slice(1));
    if (!unclear && (status !== 0 || answer["message"] !== "Nothing to undo"))
      throw new Error(`the model has nothing to take back: ${JSON.stringify(answer)}`);
    return;
  }
  const { item: turn, take: asked = take } = choice.turns.at(-1) ?? {};
  const kept = keep_prompt && turn !== undefined && promptIsThere(thread, choice.flips, turn, asked);
  const flips = choice.flips.map((flip) => ({ ...flip, kept: kept && flip.flags === turn?.flags }));
  const done = await carryOut(walker, thread, args, { flips, tried: choice.tried }, (operation, rest) => {
    const draft = model.facts(asked).get("setting:draft");
    const text = (!draft || draft["returned"]) && !kept && model.exists(asked) ? turn?.prompt?.text : undefined;
    const put = (facts: Facts) =>
      void (text !== undefined && facts.set("setting:draft", { value: text, returned: true }));
    const takes = new Map([[model.exists(asked) ? asked : take, put]]);
    thread.done(operation, { ...rest, role: "undo", flips, takes });
  });
  if (!done) return;
  const turns = choice.turns.length;
  if (flips.every((flip) => flip.scope === "both") && done["turns_undone"] !== turns)
    throw new Error(`${done["turns_undone"]} turns, not ${turns}`);
}

export async function redo(walker: CliWalker, thread: WalkedThread, count: number): Promise<void> {
  thread.note(walker.files);
  const { model, take } = thread;
  const undos = chooseRedo(model, take, count);
  if (undos.length === 0) {
    const { status, answer } = await walker.run(thread, "redo");
    if (status !== 0 || answer["message"] !== "Nothing to redo")
      throw new Error(`the model has nothing to redo: ${JSON.stringify(answer)}`);
    return;
  }
  const flips = undos.map(({ flags }) => ({ flags, scope: "both", undone: true }) as const);
  await carryOut(walker, thread, ["redo", String(count)], { flips, tried: flips }, (operation, rest) =>
    thread.done(operation, { ...rest, role: "note", flips, takes: new Map([[take, () => {}]]) }),
  );
}

/** The last turn is taken back and another made in its place, as one. */
export async function retry(
  walker: CliWalker,
  thread: WalkedThread,
  make: (before: Files) => Instructed,
): Promise<void> {
  thread.note(walker.files);
  const { model, take } = thread;
  const { flips, tried, turns } = chooseTries(thread);
  if (turns.length === 0) {
    const { status, answer } = await walker.run(thread, "retry", "Say nothing.", "--approve", "all");
    if (status === 0 || answer["error"]?.code !== "no-such-turn")
      throw new Error(`the model has no turn to try again: ${JSON.stringify(answer)}`);
    return;
  }
  // A retry has no dry run, so it is not tried where the model cannot predict its outcome.
  if (overlap(model, tried).length > 0) return;
  const [between, next] = model.flipped(flips, () => [model.files(take), model.active]);
  if (next !== take) return;
  const { prompt, calls } = make(between);
  const { status, answer, stdout } = await walker.run(thread, "retry", prompt, "--approve", "all");
  if (status !== 0 || answer["status"] !== "finished") throw new Error(`the retry failed: ${stdout}`);
  const [taken] = stdout.split("\n").filter((line) => line.includes('"turn-taken-back"'));
  const undo = JSON.parse(taken ?? "{}").op_id as string;
  model.flip(flips);
  thread.done(undo, { role: "undo", flips, leaves: false, takes: new Map([[take, () => {}]]) });
  walker.wrote(thread, between);
  await walker.learnTurn(thread, prompt, answer["turn_id"], calls, undo);
}

/** One thing in the middle: an operation of any kind, a turn by its id, the last undo. */
export async function revert(walker: CliWalker, thread: WalkedThread, pick: number): Promise<void> {
  thread.note(walker.files);
  const { model, take } = thread;
  const candidates = model
    .visible(take)
    .filter((item) => item.role !== "note" && !item.leaves && !(item.flags.conversation && item.flags.files))
    .filter((item) => item.role !== "undo" || item === chooseRedo(model, take, 1)[0])
    .filter((item) => !item.operation.startsWith("unnamed"));
  const item = candidates[pick % Math.max(1, candidates.length)];
  if (!item) return;
  const { conversation, files } = item.flags;
  const scope = conversation ? "files" : files ? "conversation" : "both";
  const flips = [{ flags: item.flags, scope, undone: true }] as const;
  if (!model.isReversible(flips)) return;
  if (model.flipped(flips, () => model.fingerprint()) === model.fingerprint()) return;
  await carryOut(walker, thread, ["revert", item.operation], { flips, tried: flips }, (operation, rest) =>
    thread.done(operation, { ...rest, role: "whole", flips, takes: new Map([[take, () => {}]]) }),
  );
}

/** Reverts only the last tool call of the last turn: its result and its file changes go. */
export async function revertCall(walker: CliWalker, thread: WalkedThread, a: number): Promise<void> {
  thread.note(walker.files);
  const { entries } = await walker.read(thread, "entries");
  const results = (entries as Answer[]).filter((entry) => entry["tool_result"]);
  const result = results[a % Math.max(1, results.length)];
  if (!result) return;
  const call = result["tool_result"].call_id as string;
  const same = results.filter((entry) => entry["tool_result"].call_id === call);
  const turn = thread.turns.get(result["turn_id"]);
  // The effect of one call of several is unknown here, and so is which of two calls with the same id is meant.
  if (!turn || turn.take !== thread.take || turn.calls !== 1 || same.length !== 1) return;
  const untouched = [...Object.keys(namesChanged(turn.before, turn.after))].every(
    (name) => walker.files[name] === turn.after[name],
  );
  if (!untouched) return;
  const after = { ...walker.files, ...pick(turn.before, Object.keys(namesChanged(turn.before, turn.after))) };
  for (const name of Object.keys(namesChanged(turn.before, turn.after))) if (!(name in turn.before)) delete after[name];
  const meaning: Meaning = {
    role: "whole",
    takes: new Map([[thread.take, (facts: Facts) => void facts.delete(`entry:${result["id"]}`)]]),
    files: namesChanged(walker.files, after),
  };
  const { status, answer } = await walker.run(thread, "revert", call);
  if (status !== 0) throw new Error(`refused without a reason: ${JSON.stringify(answer)}`);
  thread.done(answer["op_id"], meaning);
  walker.wrote(thread, after);
}

export async function jump(walker: CliWalker, thread: WalkedThread, a: number): Promise<void> {
  thread.note(walker.files);
  const { model } = thread;
  const target = thread.heads[a % Math.max(1, thread.heads.length)];
  const past = target === undefined ? undefined : thread.pasts.get(target);
  if (!target || !past) return;
  const files = walker.landing(thread, past.files);
  const there = model.exists(past.take);
  const activate = (facts: Facts) => {
    facts.set(`take:${past.take}`, { ...facts.get(`take:${past.take}`), deleted: false });
    facts.set("active", { take: past.take });
  };
  const meaning: Meaning = {
    role: "whole",
    takes: new Map([[past.take, towards(there ? model.facts(past.take) : past.facts, past.facts)]]),
    files: namesChanged(there ? model.files(past.take) : past.files, files),
    filesOf: past.take,
    ...(past.take === model.active ? {} : { thread: activate }),
  };
  const { status, answer } = await walker.run(thread, "jump", target);
  if (status === 3 && wouldBreak(thread, there ? meaning : undefined)) return;
  if (status !== 0) throw new Error(`refused without a reason: ${JSON.stringify(answer)}`);
  if (answer["op_id"] === null) {
    if (!there || thread.wouldChange(meaning)) throw new Error(`no jump was made: ${JSON.stringify(answer)}`);
    return;
  }
  if (there) thread.done(answer["op_id"], meaning);
  else {
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
  thread.note(walker.files);
  const at = a % order.length;
  const { status, answer } = await walker.run(thread, "branch", order[at] ?? "");
  if (status !== 0) throw new Error(`refused without a reason: ${JSON.stringify(answer)}`);
  const made = answer["take"].id as string;
  const name = model.threadFacts.get(`take:${take}`)?.["name"] as string;
  branchOff(thread, { take: made, order, at, nameOf: () => "some" });
  thread.done(answer["op_id"], { role: "step", thread: newTake(thread, made, name) });
  arrive(walker, thread);
}

export async function switchTake(walker: CliWalker, thread: WalkedThread, a: number): Promise<void> {
  const takes = liveTakes(thread.model.threadFacts);
  const [take] = takes[a % takes.length] as [string, string];
  const meaning: Meaning = { role: "step", thread: (facts) => void facts.set("active", { take }) };
  await leave(walker, thread, ["switch", take], meaning);
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
  await leave(walker, thread, ["delete", take], meaning);
}

/** Makes another take active, with its files. */
async function leave(walker: CliWalker, thread: WalkedThread, args: string[], meaning: Meaning): Promise<void> {
  thread.note(walker.files);
  await walker.change(thread, args, meaning);
  arrive(walker, thread);
}

/** The files of the take that is active now are on disk, but for those of other threads, which it has from now on. */
function arrive(walker: CliWalker, thread: WalkedThread): void {
  const files = walker.landing(thread, thread.model.files(thread.take));
  thread.settle(files);
  walker.wrote(thread, files);
}

/**
 * Takes something back on the command line, and then in the model with `learn`. Returns the answer of the command line,
 * or nothing if it refused with a reason.
 */
async function carryOut(
  walker: CliWalker,
  thread: WalkedThread,
  args: string[],
  { flips, tried }: { readonly flips: readonly Flip[]; readonly tried: readonly Flip[] },
  learn: (operation: string, rest: Partial<Meaning>) => void,
): Promise<Answer | undefined> {
  const { model, take } = thread;
  const clashes = overlap(model, tried);
  const places = model.places();
  const wide = isThreadWide(thread, flips);
  const [leaves, next, planned] = model.flipped(flips, () => [
    model.places() !== places,
    model.active,
    model.exists(model.active) ? model.files(model.active) : walker.files,
  ]);
  if (clashes.length > 0) {
    await tryOnly(walker, thread, args);
    return undefined;
  }
  // Where whole trees are exchanged, the files of other threads stay; changes are merged with theirs.
  const files = next === take ? planned : walker.landing(thread, planned);
  const { status, answer } = await walker.run(thread, ...args);
  if (status === 3 && isJustified(thread, answer, flips)) return undefined;
  if (status !== 0 || typeof answer["op_id"] !== "string")
    throw new Error(`refused without a reason: ${JSON.stringify(answer)}`);
  const changed = changedPaths(walker.files, files).sort();
  const known = { ...onDisk(walker.files), ...onDisk(files) };
  // The answer names empty directories too; the model has none.
  const reverted = (answer["files_reverted"] as string[]).filter((path) => path in known).sort();
  if (JSON.stringify(reverted) !== JSON.stringify(changed))
    throw new Error(`files_reverted are ${reverted.join(", ")}, not ${changed.join(", ")}`);
  model.flip(flips);
  const kept = namesChanged(planned, files);
  learn(answer["op_id"], {
    leaves,
    ...(wide ? { thread: () => {} } : {}),
    ...(Object.keys(kept).length > 0 ? { files: kept, filesOf: next } : {}),
  });
  walker.wrote(thread, files);
  return answer;
}

/** Whether the taken-back changes concern the whole thread or another take. */
function isThreadWide({ model, take }: WalkedThread, flips: readonly Flip[]): boolean {
  const others = () =>
    JSON.stringify([...model.takes.keys()].filter((each) => each !== take).map((each) => [...model.facts(each)]));
  const same = model.flipped(flips, others) === others();
  return !same || flips.some(({ flags }) => groupOf(model, flags).some((item) => model.thread.items.includes(item)));
}

/**
 * For steps that the model cannot predict: a refusal of the dry run must be one in earnest. Neither changes anything
 * (F26).
 */
export async function tryOnly(walker: CliWalker, thread: WalkedThread, args: string[]): Promise<void> {
  const before = await walker.read(thread, "history", "--limit", "1");
  const { status } = await walker.run(thread, ...args, "--dry-run");
  walker.counts.unclear += 1;
  if (status !== 0) {
    if (status !== 3) throw new Error(`a dry run ended with ${status}`);
    walker.counts.conflicts += 1;
    const ran = await walker.run(thread, ...args);
    if (ran.status !== 3 || ran.answer["error"]?.code !== "conflict")
      throw new Error(`a conflict was not refused: ${ran.status} ${ran.stdout}`);
  }
  const { head } = await walker.read(thread, "history", "--limit", "1");
  if (head !== before["head"]) throw new Error("a dry run or a refusal has changed the thread");
}

/** A refusal that the model agrees with: a take would go that was worked in, or the thread would be broken. */
function isJustified(thread: WalkedThread, answer: Answer, flips: readonly Flip[]): boolean {
  const conflicts = (answer["error"]?.details?.conflicts ?? []) as { path: string }[];
  if (conflicts.some(({ path }) => hasOwnWork(thread, path))) return true;
  return thread.model.flipped(flips, () => isBroken(thread.model.threadFacts));
}

function wouldBreak(thread: WalkedThread, meaning: Meaning | undefined): boolean {
  const facts = new Map(thread.model.threadFacts);
  meaning?.thread?.(facts);
  return isBroken(facts);
}

function isBroken(facts: Facts): boolean {
  const takes = [...facts].filter(([key, fact]) => key.startsWith("take:") && !fact["deleted"]);
  const active = takes.some(([key]) => key === `take:${String(facts.get("active")?.["take"])}`);
  return !active || new Set(takes.map(([, fact]) => fact["name"])).size !== takes.length;
}

async function activeTake(walker: CliWalker, thread: WalkedThread): Promise<string> {
  const { takes } = await walker.read(thread, "takes");
  return (takes as Answer[]).find(({ active }) => active)?.["id"];
}

function pick(files: Files, names: readonly string[]): Files {
  return Object.fromEntries(names.flatMap((name) => (name in files ? [[name, files[name] as string]] : [])));
}
