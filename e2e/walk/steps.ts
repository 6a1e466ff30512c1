import { dirname } from "node:path";
import { DEFAULT_SETTINGS } from "@retake/core";
import type { Meaning } from "../../packages/core/src/testing/learner.ts";
import { changesBetween, type Facts, type Files } from "../../packages/core/src/testing/naive-model.ts";
import { liveTakes, patch } from "../../packages/core/src/testing/walk-parts.ts";
import type { CliWalker, Instructed } from "./cli-walker.ts";
import { redo, retry, revert, revertCall, undo } from "./history-steps.ts";
import { restore, snapshot } from "./snapshot-steps.ts";
import { branch, deleteTake, jump, switchTake } from "./take-steps.ts";
import { LISTS, lineOf, PLACES, putFiles } from "./walked-files.ts";
import type { WalkedThread } from "./walked-thread.ts";

/** `a` and `b` choose the target and the variant. */
export type Step = (walker: CliWalker, thread: WalkedThread, a: number, b: number) => Promise<void>;

/** The steps of the walk, and how often each is taken. */
const WEIGHTED: Readonly<Record<string, readonly [weight: number, step: Step]>> = {
  turn: [18, turn],
  user: [10, user],
  edit: [4, (walker, thread, a) => onEntry(thread, a, (entry) => editEntry(walker, thread, entry))],
  insert: [3, insert],
  remove: [3, remove],
  role: [2, changeRole],
  setting: [5, setting],
  clear: [1, (walker, thread) => walker.change(thread, ["clear"], whole(thread, removed(thread.order)))],
  truncate: [1, truncate],
  reset: [1, reset],
  undo: [7, (walker, thread, a, b) => undo(walker, thread, { count: 1 + (a % 3), steps: false }, b % 4 === 0)],
  "undo-step": [7, (walker, thread, a) => undo(walker, thread, { count: 1 + (a % 4), steps: true }, false)],
  "undo-half": [
    3,
    (walker, thread, a, b) => undo(walker, thread, { count: 1, steps: false, half: a % 2 }, b % 3 === 0),
  ],
  redo: [8, (walker, thread, a) => redo(walker, thread, 1 + (a % 2))],
  revert: [6, revert],
  retry: [4, retryTurn],
  "revert-call": [3, revertCall],
  jump: [4, jump],
  snapshot: [2, snapshot],
  restore: [5, restore],
  branch: [4, branch],
  switch: [5, switchTake],
  "rename-take": [2, renameTake],
  "delete-take": [2, deleteTake],
  thread: [3, changeThread],
};

export const STEPS: readonly (readonly [name: string, step: Step])[] = Object.entries(WEIGHTED).flatMap(
  ([name, [weight, step]]) => Array.from({ length: weight }, () => [name, step] as const),
);

/** One to three instructions, carried out by the real tools. */
async function turn(walker: CliWalker, thread: WalkedThread, a: number, b: number): Promise<void> {
  walker.look(thread);
  const { prompt, calls } = instructions(walker, walker.files, a, b);
  const { status, answer } = await walker.run(thread, "run", prompt, "--approve", "all");
  if (status !== 0 || answer["status"] !== "finished") throw new Error(`the turn failed: ${JSON.stringify(answer)}`);
  await walker.learnTurn(thread, prompt, answer["turn_id"], calls);
}

/** Another try in the place of the last turn. */
function retryTurn(walker: CliWalker, thread: WalkedThread, a: number, b: number): Promise<void> {
  return retry(walker, thread, (before) => instructions(walker, before, a, b));
}

function instructions(walker: CliWalker, before: Files, a: number, b: number): Instructed {
  const files: Record<string, string> = { ...before };
  const lines: string[] = [];
  const calls: Files[] = [];
  for (let line = 0; line <= a % 3; line += 1) {
    const text = instruction(walker, files, a + line * 7, b + line * 13);
    lines.push(text);
    if (!text.startsWith("Say")) calls.push({ ...files });
  }
  return { prompt: lines.join("\n"), calls };
}

/** An instruction for the agent, also carried out on `files`. */
function instruction(walker: CliWalker, files: Record<string, string>, a: number, b: number): string {
  const text = walker.name("text");
  const list = LISTS[a % 2] as string;
  const place = b % PLACES;
  const path = WHOLE[b % WHOLE.length] as string;
  const there = path in files;
  switch (a % 8) {
    case 0:
    case 1:
      files[`${list}#${place}`] = text;
      return `run sed -i '${lineOf(place)}s/.*/${text}/' ${list}`;
    case 2:
      if (there) {
        files[path] = `${files[path]}${text}\n`;
        return `append ${path}: ${text}\\n`;
      }
      break;
    case 3:
      if (there) {
        delete files[path];
        return `delete ${path}`;
      }
      break;
    case 4: {
      const other = WHOLE.find((each) => !(each in files));
      if (!there || other === undefined) break;
      files[other] = files[path] as string;
      delete files[path];
      return `run mkdir -p ${dirname(other)} && mv ${path} ${other}`;
    }
    case 5:
      return `Say ${text}.`;
    case 6:
      return `run echo ${text}; exit ${b % 3}`;
  }
  files[path] = `${text}\n`;
  return `write ${path}: ${text}\\n`;
}

const WHOLE = ["one.txt", "two.txt", "folder/three.txt", "folder/four.txt", "new/folder/five.txt"];

/** The user works on the files with an editor, in those that the agent touches and in others. */
async function user(walker: CliWalker, _: WalkedThread, a: number, b: number): Promise<void> {
  const files: Record<string, string> = { ...walker.files };
  const text = walker.name("by-hand");
  const path = [...WHOLE, "mine.txt", "folder/mine.txt"][b % 7] as string;
  if (a % 3 === 0) files[`${LISTS[b % 2]}#${a % PLACES}`] = text;
  else if (a % 3 === 1 && path in files) delete files[path];
  else files[path] = `${text}\n`;
  walker.log.push(`# the user: ${JSON.stringify(changesBetween(walker.files, files))}`);
  putFiles(walker.place.root, walker.files, files);
  walker.edited(files);
}

function editEntry(walker: CliWalker, thread: WalkedThread, entry: string): Promise<void> {
  const content = `edited ${walker.name("content")}`;
  const meaning = step(thread, patch(`entry:${entry}`, { content }));
  return walker.change(thread, ["edit", entry, "--content", content], meaning);
}

function remove(walker: CliWalker, thread: WalkedThread, a: number): Promise<void> {
  return onEntry(thread, a, (entry) =>
    walker.change(
      thread,
      ["remove", entry],
      step(thread, (facts) => facts.delete(`entry:${entry}`)),
    ),
  );
}

function changeRole(walker: CliWalker, thread: WalkedThread, a: number, b: number): Promise<void> {
  return onEntry(thread, a, (entry) => {
    const role = ["User", "AI", "System", "Reviewer"][b % 4] as string;
    return walker.change(thread, ["role", entry, role], step(thread, patch(`entry:${entry}`, { role })));
  });
}

async function insert(walker: CliWalker, thread: WalkedThread, a: number, b: number): Promise<void> {
  const at = a % (thread.order.length + 1);
  const next = thread.order[at];
  const before = next === undefined ? [] : ["--before", next];
  const role = b % 3 === 0 ? ["--role", "System"] : [];
  const content = `inserted ${walker.name("content")}`;
  const { status, answer } = await walker.run(thread, "insert", "--content", content, ...before, ...role);
  if (status !== 0) throw new Error(`refused without a reason: ${answer["error"]?.message}`);
  const fact = { role: b % 3 === 0 ? "System" : "User", content };
  thread.done(
    answer["op_id"],
    step(thread, (facts) => facts.set(`entry:${answer["entry"].id}`, fact)),
  );
}

async function setting(walker: CliWalker, thread: WalkedThread, a: number, b: number): Promise<void> {
  const [field, value] = [
    ["draft", b % 3 === 0 ? "" : walker.name("draft")],
    ["temperature", (b % 5) / 10],
    ["max_tokens", 100 + (b % 3)],
    ["base_system_prompt", `prompt ${b % 4}`],
  ][a % 4] as ["draft", string];
  const isDefault = DEFAULT_SETTINGS[field] === value;
  const set = (facts: Facts) =>
    isDefault ? facts.delete(`setting:${field}`) : facts.set(`setting:${field}`, { value });
  await walker.change(thread, ["settings", field, String(value)], step(thread, set));
}

async function truncate(walker: CliWalker, thread: WalkedThread, a: number): Promise<void> {
  const pairs = a % 4;
  const starts = thread.order.filter((id) => {
    const entry = thread.facts.get(`entry:${id}`);
    return entry?.["role"] === "User" && !("tool" in entry);
  });
  const first = pairs === 0 ? undefined : starts.at(-pairs);
  const gone =
    pairs === 0 ? thread.order : first === undefined ? [] : thread.order.slice(0, thread.order.indexOf(first));
  await walker.change(thread, ["truncate", String(pairs)], whole(thread, removed(gone)));
}

async function reset(walker: CliWalker, thread: WalkedThread): Promise<void> {
  const takes = liveTakes(thread.model.threadFacts).map(([take]) => {
    const keys = [...thread.model.facts(take).keys()];
    return [take, (facts: Facts) => keys.forEach((key) => void facts.delete(key))] as const;
  });
  await walker.change(thread, ["reset"], { role: "whole", takes: new Map(takes), thread: () => {} });
}

async function renameTake(walker: CliWalker, thread: WalkedThread, a: number, b: number): Promise<void> {
  const takes = liveTakes(thread.model.threadFacts);
  const [take] = takes[a % takes.length] as [string, string];
  const name = `name ${b % 4}`;
  const args = b % 2 === 0 ? ["promote", take, name] : ["rename", take, name];
  const meaning: Meaning = { role: "step", thread: patch(`take:${take}`, { name }), refusals: ["already-exists"] };
  await walker.change(thread, args, meaning);
}

/** Threads as wholes: one more, another name, gone, and back again. */
async function changeThread(walker: CliWalker, of: WalkedThread, a: number, b: number): Promise<void> {
  const deleted = walker.threads.filter(({ model }) => model.threadFacts.get("thread")?.["deleted"] === true);
  const back = deleted[b % Math.max(1, deleted.length)];
  if (a % 4 === 0 && walker.threads.length < 4) return walker.newThread();
  if (a % 4 === 1 && back) return undo(walker, back, { count: 1, steps: true }, false);
  if (a % 4 === 2) {
    const meaning: Meaning = { role: "step", thread: patch("thread", { deleted: true }), refusals: ["last-take"] };
    return walker.change(of, ["delete", of.id], meaning);
  }
  const title = `title ${b % 5}`;
  const meaning: Meaning = { role: "step", thread: patch("thread", { title }), refusals: ["already-exists"] };
  return walker.change(of, ["rename", of.id, title], meaning);
}

function step(thread: WalkedThread, run: (facts: Facts) => unknown): Meaning {
  return { role: "step", takes: new Map([[thread.take, (facts: Facts) => void run(facts)]]) };
}

function whole(thread: WalkedThread, run: (facts: Facts) => void): Meaning {
  return { role: "whole", takes: new Map([[thread.take, run]]) };
}

function removed(entries: readonly string[]): (facts: Facts) => void {
  return (facts) => entries.forEach((id) => void facts.delete(`entry:${id}`));
}

async function onEntry(thread: WalkedThread, pick: number, act: (entry: string) => Promise<void>): Promise<void> {
  const entry = thread.order[pick % Math.max(1, thread.order.length)];
  if (entry !== undefined) await act(entry);
}
