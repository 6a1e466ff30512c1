/**
 * Carries out a committed plan, from wherever an earlier attempt stopped. After the commit a restore can only be
 * completed, so every step can be repeated:
 *
 *   1. files to delete are moved into the stage      deepest first
 *   2. directories that this emptied are removed     deepest first, only if empty
 *   3. directories are made; what is in a file's place is moved into the stage, the file renamed in
 *   4. modes of empty directories
 *
 * Nothing is overwritten or deleted: whatever is in the way is moved into the stage, and examined there, where no
 * program can replace it any more. If it is not what the plan saw, somebody wrote it after the plan; its content
 * becomes an object that the journal names. A thing that cannot be moved (a directory with somebody's files in it, a
 * parent that is now a link) stays, and is reported.
 *
 * Moving first also keeps ext4 from allocating and writing each new file at once, as it does when a rename replaces a
 * file: that work is left to the flush, where all files share it.
 */
import { chmodSync, lstatSync, renameSync, rmdirSync, type Stats } from "node:fs";
import type { Database } from "../database/database.ts";
import type { BytePath, ObjectReader, ObjectWriter } from "../model/model.ts";
import { addParents, parentOf } from "../model/path-bytes.ts";
import { hasContent } from "../model/state-codec.ts";
import { type Directories, nameOf } from "./directories.ts";
import { sameState } from "./file-state.ts";
import { readAt, readContent, sameFile, sameStamp } from "./read-disk.ts";
import { restage } from "./restage.ts";
import { errorCode } from "./restore-error.ts";
import type { Displaced, JournalEntry, RestoreJournal, StagedAction } from "./restore-journal.ts";
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
  /** Whether an earlier attempt may have done part of it, and whether the machine was restarted in between. */
  readonly attempt: "first" | "resumed" | "rebooted";
  /** Called now and then with the number of finished actions. */
  readonly onPut?: (actions: number) => void;
}

export interface Applied {
  readonly report: ApplyReport;
  /** The directories to flush besides the files. */
  readonly changedDirectories: ReadonlySet<BytePath>;
}

export interface ApplyReport {
  /** Files that changed after the plan was made: saved, then replaced. */
  readonly displaced: readonly Displaced[];
  /** Paths that could not be restored; they stay as they are. */
  readonly blocked: readonly BytePath[];
}

class Application {
  readonly #entry: JournalEntry;
  readonly #context: ApplyContext;
  readonly #blocked: BytePath[] = [];
  readonly #changed = new Set<BytePath>();
  readonly #noteMade = (made: BytePath) => this.#changed.add(parentOf(made));
  /** For each home, whether its stage, which records the progress, was lost. */
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
      if (hasContent(action.before) && !hasContent(action.after)) this.#moveAway(action, index);
    }
    for (const path of emptiedDirectories(actions)) this.#removeDirectory(path);
    for (const [index, action] of actions.entries()) {
      if (hasContent(action.after)) this.#put(action, index);
      else if (action.after) this.#makeDirectory(action.path, action.after.mode);
      if (index % BREATHER !== BREATHER - 1) continue;
      this.#context.onPut?.(index + 1);
      await new Promise(setImmediate);
    }
    this.#context.onPut?.(actions.length);
    const report = { displaced: this.#context.journal.displaced(id), blocked: this.#blocked };
    return { report, changedDirectories: this.#changed };
  }

  /** Deletes a file by moving it into the stage. */
  #moveAway(action: StagedAction, index: number): void {
    const { directories, stage, attempt } = this.#context;
    directories.trim();
    if (attempt !== "first" && statsOf(stage.place(action.home, "o", index))) {
      this.#inspect(action, index);
      return;
    }
    const place = directories.place(action.path);
    const stats = place && statsOf(place);
    if (!place || !stats) return;
    const newer = this.#lost[action.home] && !sameState(readAt(place).state, action.before);
    if (newer || !this.#setAside(action, index, place, stats)) this.#block(action.path);
  }

  /** Moves what is at a path into the stage; `false` when a capture could not hold it. */
  #setAside(action: StagedAction, index: number, place: string | Buffer, stats: Stats): boolean {
    if (!stats.isFile() && !stats.isSymbolicLink() && (!action.special || stats.isDirectory())) return false;
    const { stage } = this.#context;
    try {
      renameSync(place, stage.place(action.home, "o", index));
    } catch (error) {
      // Somebody deleted it at this moment.
      if (errorCode(error) === "ENOENT") return true;
      throw error;
    }
    this.#changed.add(parentOf(action.path));
    this.#inspect(action, index, stats);
    return true;
  }

  /**
   * Saves a file in the stage when it is not what the plan saw. No program can replace it there. `earlier` is its
   * `lstat` right before the move: it often makes reading the file unnecessary.
   */
  #inspect({ path, before, stamp, home }: StagedAction, index: number, earlier?: Stats): void {
    const away = this.#context.stage.place(home, "o", index);
    const stats = statsOf(away);
    if (!stats || (earlier && stamp && sameStamp(stamp, earlier) && sameFile(stamp, stats))) return;
    if (!sameState(readAt(away).state, before)) this.#save(path, away);
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
      if (!STAYS.has(errorCode(error) ?? "")) throw error;
    }
  }

  #put(action: StagedAction, index: number): void {
    const { directories, stage, attempt } = this.#context;
    directories.trim();
    const staged = stage.place(action.home, "n", index);
    if (attempt !== "first") {
      // An earlier attempt renamed it into place; whatever is there now is newer.
      if (!statsOf(staged)) return;
      this.#inspect(action, index);
    }
    const parent = parentOf(action.path);
    const found = directories.ensure(parent, this.#noteMade);
    if (found.kind !== "directory") {
      this.#block(action.path);
      return;
    }
    const place = found.directory.place(nameOf(action.path));
    const stats = statsOf(place);
    if (stats && !this.#setAside(action, index, place, stats)) {
      this.#block(action.path);
      return;
    }
    renameSync(staged, place);
    this.#changed.add(parent);
  }

  #makeDirectory(path: BytePath, mode: number): void {
    const { directories } = this.#context;
    directories.trim();
    const found = directories.ensure(path, this.#noteMade);
    if (found.kind !== "directory") {
      this.#block(path);
      return;
    }
    const place = found.directory.place(".");
    if ((lstatSync(place).mode & 0o7777) === mode) return;
    chmodSync(place, mode);
    this.#changed.add(path);
  }

  /** One transaction: the object exists if and only if the journal names it. */
  #save(path: BytePath, place: string | Buffer): void {
    const { database, journal, objects } = this.#context;
    const { state } = readAt(place);
    const content = hasContent(state) ? readContent(place, state) : undefined;
    if (!content) throw new Error("a file that was set aside is still being written to");
    database.transaction(() => {
      const hash = objects.write(content);
      objects.flush();
      journal.displace(this.#entry.id, { path, hash });
    });
  }

  #block(path: BytePath): void {
    this.#blocked.push(path);
  }
}

/** How many files are put in place before other work gets a turn on the event loop. */
const BREATHER = 64;

/** Why a directory is not removed: it is gone, not empty, no directory, or a mount point. */
const STAYS = new Set(["ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR", "EBUSY"]);

/** Deepest first: the parents of deleted files, unless the plan puts something into them or keeps them. */
function emptiedDirectories(actions: readonly StagedAction[]): BytePath[] {
  const needed = new Set<BytePath>();
  for (const { path, after } of actions) {
    if (!after) continue;
    if (after.kind === "directory") needed.add(path);
    addParents(path, needed);
  }
  const emptied = new Set<BytePath>();
  for (const { path, before, after } of actions) {
    if (before?.kind === "directory" && after?.kind !== "directory") emptied.add(path);
    if (before && !after) addParents(path, emptied);
  }
  return [...emptied].filter((path) => !needed.has(path)).sort((a, b) => (a < b ? 1 : -1));
}

function statsOf(place: string | Buffer): Stats | undefined {
  return lstatSync(place, { throwIfNoEntry: false });
}
