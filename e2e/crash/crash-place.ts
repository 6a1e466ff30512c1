import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  type Call,
  distinctPoints,
  type Ended,
  runInjected,
  traceChanges,
} from "../../packages/workspace/src/testing/strace.ts";
import { MAIN } from "../../testing/main.ts";
import { type Answer, RetakePlace } from "../testing/retake-place.ts";
import { storeProblems } from "../testing/store-problems.ts";
import { readFiles } from "../walk/walked-files.ts";
import { must, type Start } from "./starts.ts";

/** The state that a user can see, without ids and times, which differ from run to run. */
export interface Seen {
  readonly entries: readonly (readonly [role: string, content: string])[];
  readonly takes: readonly (readonly [name: string, active: boolean, entries: number])[];
  readonly settings: Answer;
  readonly threads: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/** A place in which one command is killed again and again from the same start. */
export class CrashPlace {
  readonly place = new RetakePlace();
  /** Processes write their compiled code somewhere when they end; that is no part of a command. */
  // Unconfined: the calls with which bwrap makes its mounts are no points of Retake's (`killed-tools.test.ts` kills those).
  readonly #environment = {
    ...this.place.environment,
    NODE_DISABLE_COMPILE_CACHE: "1",
    RETAKE_CONFINEMENT: "none",
  };
  readonly #starts = new Map<Start, ReadonlyMap<string, string>>();
  readonly #saved = `${this.place.folder}-saved`;
  #names: ReadonlyMap<string, string> = new Map();

  /** Everything is as a start makes it, which is made once. */
  async begin(start: Start): Promise<void> {
    const { folder, root } = this.place;
    const made = `${folder}-${start.name}`;
    rmSync(folder, { recursive: true, force: true });
    if (!this.#starts.has(start)) {
      mkdirSync(root, { recursive: true });
      this.#starts.set(start, await start(this.place));
      renameSync(folder, made);
    }
    this.#names = this.#starts.get(start) ?? new Map();
    execFileSync("cp", ["-a", made, folder]);
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

  must(args: readonly string[]): Promise<Answer> {
    return this.#must(...this.#named(args));
  }

  /** The points at which a command can be killed: every system call of it that changes something on disk. */
  async points(args: readonly string[]): Promise<Call[]> {
    this.reset();
    const calls = await traceChanges(command(this.#named(args)), "retake.db", { ...this.#where, withPaths: true });
    this.reset();
    // SQLite sorts in unlinked files, which no process finds later.
    return distinctPoints(calls.filter(({ text }) => !text.includes("/etilqs_")));
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

  /** The answers of the next commands, which only read. */
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

  /** The directories of the store, and of its saved copy. */
  get stores() {
    return { home: this.place.home, before: join(this.#saved, "home") };
  }

  remove(): void {
    this.place.remove();
    const starts = [...this.#starts.keys()].map(({ name }) => `${this.place.folder}-${name}`);
    for (const folder of [this.#saved, ...starts]) rmSync(folder, { recursive: true, force: true });
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

  #must(...args: string[]): Promise<Answer> {
    return must(this.place, ...args);
  }
}

function command(args: readonly string[]): string[] {
  return [process.execPath, MAIN, ...args, "--json"];
}
