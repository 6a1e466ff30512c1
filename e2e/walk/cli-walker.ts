/**
 * The command line and the naive model side by side, over real files. Every step is done in both, and then all
 * that a user can see must agree: the conversation, the takes, the settings with the draft, every file byte for
 * byte, and what could be undone and redone.
 *
 * One command in five is a process of its own; the others run in this one, with everything opened anew.
 */
import { DEFAULT_SETTINGS } from "@retake/core";
import type { Meaning } from "../../packages/core/src/testing/learner.ts";
import { chooseRedo, chooseUndo } from "../../packages/core/src/testing/naive-history.ts";
import { changesBetween, type Facts, type Files } from "../../packages/core/src/testing/naive-model.ts";
import { type Answer, type Ran, RetakePlace } from "../testing/retake-place.ts";
import { DiskModel, type Edits, type Landing } from "./disk-model.ts";
import { firstFiles, onDisk, putFiles, readFiles } from "./walked-files.ts";
import { WalkedThread } from "./walked-thread.ts";

export class CliWalker {
  /** F20: whatever its name, a workspace works like any other. */
  readonly place = new RetakePlace(undefined, Buffer.from([...Buffer.from(`it's "Müller" ☃ $(x)\\ `), 0xff]));
  readonly threads: WalkedThread[] = [];
  /** The commands so far, to repeat them by hand. */
  readonly log: string[] = [];
  readonly counts = { steps: 0, commands: 0, processes: 0, conflicts: 0, unclear: 0 };
  /** The expected files on disk. */
  files: Files = firstFiles();
  readonly #disk = new DiskModel();
  #names = 0;

  async begin(): Promise<void> {
    putFiles(this.place.root, {}, this.files);
    await this.newThread();
  }

  /** A word that was never used before. */
  name(kind: string): string {
    this.#names += 1;
    return `${kind}-${this.#names}`;
  }

  thread(pick: number): WalkedThread {
    const live = this.threads.filter(({ model }) => model.threadFacts.get("thread")?.["deleted"] === false);
    return live[pick % live.length] as WalkedThread;
  }

  /** Runs a command on a thread and checks its answer. */
  async run(thread: WalkedThread | undefined, ...args: string[]): Promise<Ran> {
    const line = thread ? [...args, "--thread", thread.id] : args;
    this.log.push(`retake ${line.map((word) => (/^[\w./=-]+$/.test(word) ? word : JSON.stringify(word))).join(" ")}`);
    this.counts.commands += 1;
    const apart = this.counts.commands % 5 === 0;
    if (apart) this.counts.processes += 1;
    const would = hasDryRun(thread, args) ? await this.place.call([...line, "--dry-run"]) : undefined;
    const ran = apart ? this.place.spawn(line) : await this.place.call(line);
    if (would) same("the dry run and the command", foretold(would), foretold(ran));
    if (/database is locked|SQLITE|at .*\.c?[jt]s:\d+/i.test(`${ran.stdout}${ran.stderr}`) || ran.status === null)
      throw new Error(`broke: ${ran.stdout}${ran.stderr}`);
    return ran;
  }

  /** The answer of a command that only reads. */
  async read(thread: WalkedThread | undefined, ...args: string[]): Promise<Answer> {
    const line = thread ? [...args, "--thread", thread.id] : args;
    const { status, stdout, stderr, answer } = await this.place.call(line);
    if (status !== 0) throw new Error(`retake ${line.join(" ")} failed: ${stdout}${stderr}`);
    return answer;
  }

  /** A change that leaves the files alone; where nothing was to be done, the model must say so too. */
  async change(thread: WalkedThread, args: string[], meaning: Meaning): Promise<void> {
    const { status, answer } = await this.run(thread, ...args);
    const refused = meaning.refusals?.includes(answer["error"]?.code) === true;
    if (refused && status !== 0) return;
    if (status !== 0) throw new Error(`refused without a reason: ${answer["error"]?.message}`);
    if (answer["op_id"] === null) {
      if (thread.wouldChange(meaning)) throw new Error(`nothing was done: ${answer["message"]}`);
      return;
    }
    thread.done(answer["op_id"], meaning);
  }

  async newThread(): Promise<void> {
    const prompt = this.name("words");
    const { answer, status } = await this.run(undefined, "run", prompt, "--new");
    if (status !== 0) throw new Error(`no thread was made: ${answer["error"]?.message}`);
    const id = answer["thread_id"] as string;
    const { takes } = await this.read(undefined, "takes", "--thread", id);
    const thread = new WalkedThread(id, takes[0].id, prompt, this.files);
    this.threads.push(thread);
    this.#disk.seen(id, this.files);
    await this.learnTurn(thread, prompt, answer["turn_id"], []);
  }

  /** Takes the turn's text as it is; the effects of its calls on the files are known beforehand. */
  async learnTurn(
    thread: WalkedThread,
    prompt: string,
    turn_id: string,
    calls: readonly Files[],
    group?: string,
  ): Promise<void> {
    const { entries } = await this.read(thread, "entries");
    const made = (entries as Answer[]).filter((entry) => entry["turn_id"] === turn_id);
    const [first] = made;
    if (first?.["content"] !== prompt) throw new Error(`the turn has no prompt: ${JSON.stringify(first)}`);
    thread.order = (entries as Answer[]).map((entry) => entry["id"] as string);
    const { head } = await this.read(thread, "history", "--limit", "1");
    const turn = `turn:${turn_id}`;
    const before = this.files;
    const one = group ?? head;
    const left = [...calls];
    for (const entry of made) {
      const key = `entry:${entry["id"]}`;
      const files = entry["tool_result"] ? (left.shift() ?? this.files) : this.files;
      const { turn_id: _, ...kept } = entryFact(entry);
      const run = (facts: Facts) => {
        facts.set(key, entryFact(entry));
        if (entry !== first) return;
        facts.set(turn, {});
        if (facts.get("setting:draft")?.["value"] === prompt) facts.delete("setting:draft");
      };
      const put = (facts: Facts) => void facts.set(key, kept);
      const part: Meaning = {
        role: "turn",
        turn: turn_id,
        writes: [entry["id"]],
        takes: new Map([[thread.take, run]]),
        files: changesBetween(this.files, files),
        ...(entry === first ? { prompt: { entry: entry["id"], text: prompt, put } } : {}),
      };
      thread.done(undefined, part, one);
      this.wrote(thread, files);
    }
    if (left.length > 0) throw new Error(`${left.length} calls of the turn have no result`);
    const end = (facts: Facts) => void facts.set(turn, { tree_after: "some" });
    thread.done(head, { role: "turn", turn: turn_id, takes: new Map([[thread.take, end]]) }, one);
    thread.snapshots.push({ id: `S-${head}`, files: this.files });
    thread.turns.set(turn_id, { take: thread.take, before, after: this.files, calls: calls.length });
  }

  /** A command of the thread looks at the files on disk first, and records what others changed in them. */
  look(thread: WalkedThread): void {
    thread.note(this.files);
    this.saw(thread);
  }

  /** The thread has the files on disk now in its history, or in a snapshot. */
  saw(thread: WalkedThread): void {
    this.#disk.seen(thread.id, this.files);
  }

  /** A command of the thread made the files on disk what they are: those that it changed are its own now. */
  wrote(thread: WalkedThread, after: Files): void {
    this.#disk.changed(thread.id, this.files, after);
    this.#disk.seen(thread.id, after);
    this.files = after;
  }

  /** The files on disk after a command that puts files there which the thread had before. */
  landing(thread: WalkedThread, files: Files): Landing | undefined {
    return this.#disk.landing(thread.id, this.files, files);
  }

  /** The files that the user changed since the thread had these. */
  edits(thread: WalkedThread, files: Files): Edits {
    return this.#disk.edits(thread.id, files);
  }

  /** The user made the files on disk what they are. */
  edited(after: Files): void {
    this.#disk.changed(undefined, this.files, after);
    this.files = after;
  }

  /** Throws where the command line, the files and the model do not agree. */
  async check(thread: WalkedThread): Promise<void> {
    const { model } = thread;
    for (const each of this.threads) each.forgetNote();
    same("the files", readFiles(this.place.root), onDisk(this.files));
    const { entries } = await this.read(thread, "entries");
    const list = entries as Answer[];
    const expected = new Map([...thread.facts].filter(([key]) => key.startsWith("entry:")));
    same("the entries", Object.fromEntries(list.map((entry) => [`entry:${entry["id"]}`, entryFact(entry)])), expected);
    thread.order = list.map((entry) => entry["id"] as string);
    const swapped = thread.oracle.see(thread.take, thread.order);
    if (swapped) throw new Error(`${swapped.join(" and ")} have changed places`);
    const { takes } = await this.read(thread, "takes");
    const facts = model.threadFacts;
    const live = [...facts].filter(([key, fact]) => key.startsWith("take:") && fact["deleted"] === false);
    same(
      "the takes",
      Object.fromEntries((takes as Answer[]).map(({ id, name, active }) => [`take:${id}`, { name, active }])),
      new Map(live.map(([key, { name }]) => [key, { name, active: key === `take:${thread.take}` }])),
    );
    const settings = { ...DEFAULT_SETTINGS } as Record<string, unknown>;
    for (const [key, fact] of thread.facts)
      if (key.startsWith("setting:")) settings[key.slice("setting:".length)] = fact["value"];
    const { files: _, context_files: __, screenshots: ___, ...said } = await this.read(thread, "settings");
    same("the settings", said, settings);
    const { head, can_undo, can_redo } = await this.read(thread, "history", "--limit", "1");
    same("what is left to redo", { can_redo }, { can_redo: chooseRedo(model, thread.take, 1).length > 0 });
    const undo = chooseUndo(model, thread.take, { count: 1, steps: true, scope: "both" });
    if (undo.effective > 0) same("what is left to undo", { can_undo }, { can_undo: true });
    thread.stand(head);
    const { threads } = await this.read(undefined, "threads");
    const titles = this.threads.map(({ id, model: each }) => [id, each.threadFacts.get("thread")] as const);
    same(
      "the threads",
      Object.fromEntries((threads as Answer[]).map(({ id, title }) => [id, title])),
      Object.fromEntries(titles.filter(([, fact]) => !fact?.["deleted"]).map(([id, fact]) => [id, fact?.["title"]])),
    );
  }
}

/** A prompt, and the files after each call that it makes. */
export interface Instructed {
  readonly prompt: string;
  readonly calls: readonly Files[];
}

const WITH_DRY_RUN = new Set(["undo", "redo", "revert", "jump", "restore", "branch", "switch", "delete"]);

function hasDryRun(thread: WalkedThread | undefined, [command = "", about, ...options]: readonly string[]): boolean {
  return WITH_DRY_RUN.has(command) && !options.includes("--dry-run") && about !== thread?.id && about !== "--dry-run";
}

/** H14: what a dry run says of the command: the outcome, the refusal, the conflicts, and the files. */
function foretold({ status, answer }: Ran): object {
  const { code, message, details } = answer["error"] ?? {};
  const { files, files_kept, conflicts, turns_undone, turns_returned, messages_removed, messages_returned } = answer;
  const said = [files, files_kept, conflicts, turns_undone, turns_returned, messages_removed, messages_returned];
  return { status, code, message, refused: details?.conflicts, nothing: answer["message"], said };
}

function entryFact({ role, content, turn_id, tool_result }: Answer): Readonly<Record<string, unknown>> {
  return { role, content, ...(turn_id ? { turn_id } : {}), ...(tool_result ? { tool: true } : {}) };
}

function same(what: string, actual: object, expected: object): void {
  const [is, should] = [actual, expected].map((each) => plain(each));
  const keys = new Set([...Object.keys(is ?? {}), ...Object.keys(should ?? {})]);
  const wrong = [...keys].filter((key) => is?.[key] !== should?.[key]);
  if (wrong.length === 0) return;
  const lines = wrong.map((key) => `  ${key} is ${is?.[key] ?? "-"}, not ${should?.[key] ?? "-"}`);
  throw new Error(`${what} differ:\n${lines.join("\n")}`);
}

function plain(value: object): Record<string, string> {
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([key, each]) => [key, JSON.stringify(each, sorted)]));
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
