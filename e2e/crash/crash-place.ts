import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Call,
  distinctPoints,
  type Ended,
  runInjected,
  traceChanges,
} from "../../packages/workspace/src/testing/strace.ts";
import { type Answer, MAIN, RetakePlace } from "../testing/retake-place.ts";
import { storeProblems } from "../testing/store-problems.ts";
import { readFiles } from "../walk/walked-files.ts";

/** What a user can see, but for ids and times, which differ from run to run. */
export interface Seen {
  readonly entries: readonly (readonly [role: string, content: string])[];
  readonly takes: readonly (readonly [name: string, active: boolean, entries: number])[];
  readonly settings: Answer;
  readonly threads: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/** Stands for the operation that the first turn ended with. */
export const FIRST_TURN = "<the first turn>";
export const FIRST_SNAPSHOT = "<the first snapshot>";

/**
 * A place in which one command is killed again and again from the same start: a thread with turns that wrote,
 * changed, renamed and deleted files, two takes, and a file that the user has edited since.
 */
export class CrashPlace {
  readonly place = new RetakePlace();
  /** Processes write their compiled code somewhere when they end; that is no part of a command. */
  readonly #environment = { ...this.place.environment, NODE_DISABLE_COMPILE_CACHE: "1" };
  readonly #names = new Map<string, string>();
  readonly #prepared = `${this.place.folder}-prepared`;
  readonly #saved = `${this.place.folder}-saved`;

  async prepare(): Promise<void> {
    for (let number = 0; number < 4; number += 1) this.#write(`src/file-${number}.txt`, `${number}\n`.repeat(9));
    await this.#must("run", "write notes.txt: first\\n", "--new", "--yes");
    await this.#must(
      ...["run", "--yes"],
      "run sed -i 5s/.*/changed/ src/file-0.txt src/file-1.txt\ndelete src/file-2.txt\nrun mv src/file-3.txt moved.txt",
    );
    await this.#must("branch", "1.0");
    await this.#must("run", "write only-in-take.txt: take\\n", "--yes");
    await this.#must("switch", "main");
    await this.#must("run", "write new/deep/made.txt: made\\n\nappend notes.txt: second\\n", "--yes");
    this.#write("src/file-1.txt", `mine\n${"1\n".repeat(3)}changed\n${"1\n".repeat(4)}`);
    this.#write("by-hand.txt", "mine\n");
    const { operations } = await this.#must("history", "--all");
    this.#names.set(FIRST_TURN, (operations as Answer[]).findLast(({ kind }) => kind === "turn-finished")?.["id"]);
    const { snapshots } = await this.#must("snapshots");
    this.#names.set(FIRST_SNAPSHOT, (snapshots as Answer[]).at(-1)?.["id"]);
    execFileSync("cp", ["-a", this.place.folder, this.#prepared]);
  }

  /** Everything is as it was prepared. */
  begin(): void {
    rmSync(this.place.folder, { recursive: true, force: true });
    execFileSync("cp", ["-a", this.#prepared, this.place.folder]);
  }

  /** From now on `reset` returns to how things are now. */
  save(): void {
    rmSync(this.#saved, { recursive: true, force: true });
    execFileSync("cp", ["-a", this.place.folder, this.#saved]);
  }

  reset(): void {
    rmSync(this.place.folder, { recursive: true, force: true });
    execFileSync("cp", ["-a", this.#saved, this.place.folder]);
  }

  async must(args: readonly string[]): Promise<void> {
    await this.#must(...this.#named(args));
  }

  /** The points at which a command can be killed: every system call of it that changes something on disk. */
  async points(args: readonly string[]): Promise<Call[]> {
    this.reset();
    const calls = await traceChanges(command(this.#named(args)), "retake.db", this.#where);
    this.reset();
    return distinctPoints(calls);
  }

  /**
   * Kills a command at a call. Threads wake one another by writing, more or less often, so a call may have a lower number
   * than in the run that was traced: where the command ends before it, it is killed at the call before.
   */
  async kill(args: readonly string[], at: Call): Promise<Ended> {
    for (let ordinal = at.ordinal; ; ordinal -= 1) {
      const ended = await runInjected(command(this.#named(args)), { ...at, ordinal }, this.#where);
      if (ended.killed || ordinal === 1) return ended;
      this.reset();
    }
  }

  /** A command that holds the workspace and changes nothing; it ends a turn that was killed. */
  async tryUndo(): Promise<void> {
    await this.#must("undo", "--dry-run");
  }

  /** What the next commands find, which only read. */
  async look(): Promise<Seen> {
    const read = (name: string) => this.#must(name);
    const { entries } = await read("entries");
    const { threads } = await read("threads");
    const problems = storeProblems(this.place);
    if (problems.length > 0) throw new Error(problems.join("\n"));
    return {
      entries: (entries as Answer[]).map(({ role, content }) => [role, content] as const),
      takes: (await this.#takes()).map(({ name, active, entries: count }) => [name, active, count] as const),
      settings: await read("settings"),
      threads: (threads as Answer[]).map(({ title }) => title as string),
      files: readFiles(this.place.root),
    };
  }

  remove(): void {
    this.place.remove();
    for (const folder of [this.#saved, this.#prepared]) rmSync(folder, { recursive: true, force: true });
  }

  /** Operations and snapshots have other ids in each place. */
  #named(args: readonly string[]): string[] {
    return args.map((word) => this.#names.get(word) ?? word);
  }

  get #where() {
    return { cwd: this.place.root, env: this.#environment };
  }

  async #takes(): Promise<Answer[]> {
    return (await this.#must("takes"))["takes"];
  }

  async #must(...args: string[]): Promise<Answer> {
    const { status, answer, stdout, stderr } = await this.place.call(args);
    if (status !== 0) throw new Error(`retake ${args.join(" ")} ended with ${status}: ${stdout}${stderr}`);
    return answer;
  }

  #write(path: string, content: string): void {
    mkdirSync(dirname(join(this.place.root, path)), { recursive: true });
    writeFileSync(join(this.place.root, path), content);
  }
}

function command(args: readonly string[]): string[] {
  return [process.execPath, MAIN, ...args, "--json"];
}
