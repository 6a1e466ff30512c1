/**
 * Carries out a committed plan, from wherever an earlier attempt got to. After the commit there is
 * only forward, so every step can be done again, and what the plan did not foresee is never lost:
 *
 *   1. files that go are moved into the stage        deepest first
 *   2. directories that this emptied are removed     deepest first, only if empty
 *   3. directories are made, files renamed into place
 *   4. modes of empty directories
 *
 * A file that is not what the plan saw was written by somebody since. Its content becomes an object,
 * named in the journal, before the file gives way. What cannot give way (a directory with somebody's
 * files in it, a parent that is now a link) stays, and is reported.
 */
import { chmodSync, lstatSync, renameSync, rmdirSync, type Stats } from "node:fs";
import type { Database } from "../../store/open-database.ts";
import type { Displaced, JournalEntry, RestoreJournal, StagedAction } from "../../store/restore-journal.ts";
import type { BytePath, ObjectReader, ObjectWriter } from "../model.ts";
import { parentOf } from "../path-bytes.ts";
import { type Directories, nameOf } from "./directories.ts";
import { sameState } from "./file-state.ts";
import { readAt, readContent, sameFile, sameStamp } from "./read-disk.ts";
import { restage } from "./restage.ts";
import { errorCode } from "./restore-error.ts";
import type { Stage } from "./stage.ts";

export async function applyActions(entry: JournalEntry, context: ApplyContext): Promise<Applied> {
  return new Application(entry, context).run();
}

export interface ApplyContext {
  readonly directories: Directories;
  readonly stage: Stage;
  readonly database: Database;
  readonly journal: RestoreJournal;
  readonly objects: ObjectReader & ObjectWriter;
  /** Whether an earlier attempt may have done part of it, and whether the power went in between. */
  readonly attempt: "first" | "resumed" | "rebooted";
}

export interface Applied {
  readonly report: ApplyReport;
  /** What is to be flushed besides the files. */
  readonly changedDirectories: ReadonlySet<BytePath>;
}

export interface ApplyReport {
  /** Files that changed after the plan was made: saved, then replaced. */
  readonly displaced: readonly Displaced[];
  /** Paths that could not become what they should: what is there was left alone. */
  readonly blocked: readonly BytePath[];
}

class Application {
  readonly #entry: JournalEntry;
  readonly #context: ApplyContext;
  readonly #blocked: BytePath[] = [];
  readonly #changed = new Set<BytePath>();
  /** For each home, whether its stage, and with it the record of what was done, was gone. */
  #lost: readonly boolean[] = [];

  constructor(entry: JournalEntry, context: ApplyContext) {
    this.#entry = entry;
    this.#context = context;
  }

  async run(): Promise<Applied> {
    const { id, actions } = this.#entry;
    if (this.#context.attempt !== "first") {
      const { lost, newer } = restage(this.#entry, {
        ...this.#context,
        rebooted: this.#context.attempt === "rebooted",
      });
      this.#lost = lost;
      this.#blocked.push(...newer);
    }
    for (let index = actions.length - 1; index >= 0; index -= 1) {
      const action = actions[index] as StagedAction;
      if (isFile(action.before) && !isFile(action.after)) this.#moveAway(action, index);
    }
    for (const path of emptiedDirectories(actions)) this.#removeDirectory(path);
    for (const [index, action] of actions.entries()) {
      if (isFile(action.after)) this.#put(action, index);
      else if (action.after) this.#makeDirectory(action.path, action.after.mode);
      if (index % breather === breather - 1) await new Promise(setImmediate);
    }
    const report = { displaced: this.#context.journal.displaced(id), blocked: this.#blocked };
    return { report, changedDirectories: this.#changed };
  }

  #moveAway(action: StagedAction, index: number): void {
    const { directories, stage, attempt } = this.#context;
    directories.trim();
    const away = stage.place(action.home, "o", index);
    if (attempt === "first" || !statsOf(away)) {
      const place = directories.place(action.path);
      const stats = place && statsOf(place);
      if (!place || !stats) return;
      if (!stats.isFile() && !stats.isSymbolicLink()) {
        this.#block(action.path);
        return;
      }
      if (this.#lost[action.home] && !sameState(readAt(place).state, action.before)) {
        this.#block(action.path);
        return;
      }
      renameSync(place, away);
      this.#changed.add(parentOf(action.path));
      const moved = statsOf(away);
      if (action.stamp?.settled && moved && sameFile(action.stamp, moved)) return;
    }
    // Looked at after the move: nobody can write to it by name any more.
    if (!sameState(readAt(away).state, action.before)) this.#save(action.path, away);
  }

  #removeDirectory(path: BytePath): void {
    const { directories } = this.#context;
    directories.trim();
    directories.forget(path);
    const place = directories.place(path);
    if (!place) return;
    try {
      rmdirSync(place);
      this.#changed.delete(path);
      this.#changed.add(parentOf(path));
    } catch (error) {
      if (!stays.has(errorCode(error) ?? "")) throw error;
    }
  }

  #put(action: StagedAction, index: number): void {
    const { directories, stage, attempt } = this.#context;
    directories.trim();
    const staged = stage.place(action.home, "n", index);
    // Renamed into place by an earlier attempt; whatever is there now came later.
    if (attempt !== "first" && !statsOf(staged)) return;
    const parent = directories.ensure(parentOf(action.path), (made) => this.#changed.add(parentOf(made)));
    if (parent.kind !== "directory") {
      this.#block(action.path);
      return;
    }
    const place = parent.directory.place(nameOf(action.path));
    const stats = statsOf(place);
    if (stats && !(action.stamp && sameStamp(action.stamp, stats))) {
      const { state, obstacle } = readAt(place);
      if (!obstacle && sameState(state, action.after)) return;
      if (obstacle || state?.kind === "directory") {
        this.#block(action.path);
        return;
      }
      if (!sameState(state, action.before)) this.#save(action.path, place);
    }
    renameSync(staged, place);
    this.#changed.add(parentOf(action.path));
  }

  #makeDirectory(path: BytePath, mode: number): void {
    const { directories } = this.#context;
    directories.trim();
    const found = directories.ensure(path, (made) => this.#changed.add(parentOf(made)));
    if (found.kind !== "directory") {
      this.#block(path);
      return;
    }
    const place = found.directory.place(".");
    if ((lstatSync(place).mode & 0o7777) === mode) return;
    chmodSync(place, mode);
    this.#changed.add(path);
  }

  /** One transaction: the object is there if and only if the journal names it. */
  #save(path: BytePath, place: string | Buffer): void {
    const { database, journal, objects } = this.#context;
    for (;;) {
      const { state } = readAt(place);
      if (!isFile(state)) return;
      const content = readContent(place, state);
      if (!content) continue;
      database.transaction(() => {
        const hash = objects.write(content);
        objects.flush();
        journal.displace(this.#entry.id, { path, hash });
      });
      return;
    }
  }

  #block(path: BytePath): void {
    this.#blocked.push(path);
  }
}

/** How many files are put before others get a turn on the event loop. */
const breather = 64;

/** Why a directory is not removed: it is gone, holds something, is no directory, or is mounted on. */
const stays = new Set(["ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR", "EBUSY"]);

/** Deepest first: the parents of what goes, unless something is put into them or they are to be there. */
function emptiedDirectories(actions: readonly StagedAction[]): BytePath[] {
  const needed = new Set<BytePath>();
  for (const { path, after } of actions) {
    if (!after) continue;
    if (after.kind === "directory") needed.add(path);
    for (let at = parentOf(path); at !== "" && !needed.has(at); at = parentOf(at)) needed.add(at);
  }
  const emptied = new Set<BytePath>();
  for (const { path, before, after } of actions) {
    if (before?.kind === "directory" && after?.kind !== "directory") emptied.add(path);
    if (!before || after) continue;
    for (let at = parentOf(path); at !== "" && !emptied.has(at); at = parentOf(at)) emptied.add(at);
  }
  return [...emptied].filter((path) => !needed.has(path)).sort((a, b) => (a < b ? 1 : -1));
}

function isFile<State extends { kind: string }>(
  state: State | undefined,
): state is Extract<State, { kind: "file" | "link" }> {
  return state?.kind === "file" || state?.kind === "link";
}

function statsOf(place: string | Buffer): Stats | undefined {
  try {
    return lstatSync(place);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
