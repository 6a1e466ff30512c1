/**
 * Taking back and returning, on the command line and in the model.
 *
 * Where what is taken back and what stays changed the same thing, replaying and merging need not agree; then the
 * command is only tried with `--dry-run`, and must refuse in earnest what it would refuse there.
 */
import type { Meaning } from "../../packages/core/src/testing/learner.ts";
import { chooseTries, hasOwnWork, promptIsThere } from "../../packages/core/src/testing/model-takes.ts";
import {
  chooseRedo,
  chooseRevert,
  chooseUndo,
  groupOf,
  overlap,
} from "../../packages/core/src/testing/naive-history.ts";
import {
  changesBetween,
  type Facts,
  type FileChanges,
  type Files,
  type Flip,
  withChanges,
} from "../../packages/core/src/testing/naive-model.ts";
import type { Answer } from "../testing/retake-place.ts";
import type { CliWalker, Instructed } from "./cli-walker.ts";
import type { Landing } from "./disk-model.ts";
import { changedPaths, onDisk } from "./walked-files.ts";
import type { WalkedThread } from "./walked-thread.ts";

export interface Wish {
  readonly count: number;
  readonly steps: boolean;
  /** Only the conversation (0) or only the files (1). */
  readonly half?: number;
}

export async function undo(walker: CliWalker, thread: WalkedThread, wish: Wish, keep_prompt: boolean): Promise<void> {
  walker.look(thread);
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
  walker.look(thread);
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
  walker.look(thread);
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
  walker.look(thread);
  const { model, take } = thread;
  const chosen = chooseRevert(model, take, pick, ({ operation }) => !operation.startsWith("unnamed"));
  if (!chosen) return;
  const { item, flips } = chosen;
  await carryOut(walker, thread, ["revert", item.operation], { flips, tried: flips }, (operation, rest) =>
    thread.done(operation, { ...rest, role: "whole", flips, takes: new Map([[take, () => {}]]) }),
  );
}

/** Reverts only the last tool call of the last turn: its result and its file changes go. */
export async function revertCall(walker: CliWalker, thread: WalkedThread, a: number): Promise<void> {
  walker.look(thread);
  const { entries } = await walker.read(thread, "entries");
  const results = (entries as Answer[]).filter((entry) => entry["tool_result"]);
  const result = results[a % Math.max(1, results.length)];
  if (!result) return;
  const call = result["tool_result"].call_id as string;
  const same = results.filter((entry) => entry["tool_result"].call_id === call);
  const turn = thread.turns.get(result["turn_id"]);
  // The effect of one call of several is unknown here, and so is which of two calls with the same id is meant.
  if (!turn || turn.take !== thread.take || turn.calls !== 1 || same.length !== 1) return;
  const untouched = [...Object.keys(changesBetween(turn.before, turn.after))].every(
    (name) => walker.files[name] === turn.after[name],
  );
  if (!untouched) return;
  const after = { ...walker.files, ...pick(turn.before, Object.keys(changesBetween(turn.before, turn.after))) };
  for (const name of Object.keys(changesBetween(turn.before, turn.after)))
    if (!(name in turn.before)) delete after[name];
  const meaning: Meaning = {
    role: "whole",
    takes: new Map([[thread.take, (facts: Facts) => void facts.delete(`entry:${result["id"]}`)]]),
    files: changesBetween(walker.files, after),
  };
  const { status, answer } = await walker.run(thread, "revert", call);
  if (status !== 0) throw new Error(`refused without a reason: ${JSON.stringify(answer)}`);
  thread.done(answer["op_id"], meaning);
  walker.wrote(thread, after);
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
  const there = model.exists(next) ? model.files(next) : planned;
  const files = next === take ? planned : withFlips(walker.landing(thread, there), there, planned);
  if (!files) {
    await tryOnly(walker, thread, args);
    return undefined;
  }
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
  const kept = changesBetween(planned, files);
  // Changes of other threads in a take that became active are no part of the command, and stay when it is taken back.
  const isNoted = next !== take;
  learn(answer["op_id"], {
    leaves,
    ...(wide ? { thread: () => {} } : {}),
    ...(!isNoted && Object.keys(kept).length > 0 ? { files: kept, filesOf: next } : {}),
  });
  if (isNoted) thread.settle(files);
  walker.wrote(thread, files);
  return answer;
}

/**
 * The files of another take that becomes active, when changes in it are taken back too; undefined where both changed the same,
 * or where another thread has changed a file since: both are taken back as one change, which may be none.
 */
function withFlips(landing: Landing | undefined, there: Files, planned: Files): Files | undefined {
  if (!landing || landing.conflicts.length > 0) return undefined;
  const changes: FileChanges = changesBetween(there, planned);
  const isClear = ([name, content]: [string, string | null]) =>
    (!landing.contested.includes(name) && landing.files[name] === there[name]) ||
    (landing.files[name] ?? null) === content;
  return Object.entries(changes).every(isClear) ? withChanges(landing.files, changes) : undefined;
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

/** Whether no take is active, or two takes have one name. */
export function isBroken(facts: Facts): boolean {
  const takes = [...facts].filter(([key, fact]) => key.startsWith("take:") && !fact["deleted"]);
  const active = takes.some(([key]) => key === `take:${String(facts.get("active")?.["take"])}`);
  return !active || new Set(takes.map(([, fact]) => fact["name"])).size !== takes.length;
}

function pick(files: Files, names: readonly string[]): Files {
  return Object.fromEntries(names.flatMap((name) => (name in files ? [[name, files[name] as string]] : [])));
}
