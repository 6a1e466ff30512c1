/**
 * X5, as the walk's model has it: which thread, or the user, changed the files on disk, in order.
 *
 * A thread that puts files there which it had before takes back its own changes since then and the user's, newest first. In
 * files that other threads have changed since, their changes stay; one that the thread has not changed stays as it is. Two changes of one place of a list are a conflict; what
 * becomes of two changes of another file is not known here, because whole texts are not merged.
 */
import { changesBetween, type Files, withChanges } from "../../packages/core/src/testing/naive-model.ts";
import { changedPaths, LISTS, onDisk, withPaths } from "./walked-files.ts";

export interface Landing {
  readonly files: Files;
  /** The files in conflict; `files` has them as they are on disk. */
  readonly conflicts: readonly string[];
  /** The files that other threads have changed since. */
  readonly contested: readonly string[];
}

/** The files that the user has changed since a time, or may have changed: that depends on more than the model knows. */
export interface Edits {
  readonly sure: readonly string[];
  readonly unsure: readonly string[];
}

export class DiskModel {
  readonly #changes: Change[] = [];
  /** When a thread knew which files on disk. */
  readonly #sights: { readonly thread: string; readonly files: Files; readonly at: number }[] = [];

  changed(thread: string | undefined, before: Files, after: Files): void {
    if (changedPaths(before, after).length > 0) this.#changes.push({ thread, before, after });
  }

  seen(thread: string, files: Files): void {
    this.#sights.push({ thread, files, at: this.#changes.length });
  }

  /** Undefined where it depends on more than the model knows, such as on which of several equal pasts is meant. */
  landing(thread: string, present: Files, wanted: Files): Landing | undefined {
    const landings = this.#momentsOf(thread, wanted).map((at) => this.#since(at, thread, present, wanted));
    const [first] = landings;
    const isSame = (each: Landing | undefined) =>
      each &&
      first &&
      changedPaths(each.files, first.files).length === 0 &&
      `${each.conflicts}` === `${first.conflicts}`;
    return landings.every(isSame) ? first : undefined;
  }

  edits(thread: string, wanted: Files): Edits {
    const found = this.#momentsOf(thread, wanted).map((at) => editedIn(this.#changes.slice(at), wanted));
    const sure = (found[0]?.sure ?? []).filter((path) => found.every((each) => each.sure.includes(path)));
    const all = new Set(found.flatMap((each) => [...each.sure, ...each.unsure]));
    return { sure, unsure: [...all].filter((path) => !sure.includes(path)) };
  }

  /** When the thread knew these files, and when they were on disk again after that: the later one may be meant. */
  #momentsOf(thread: string, wanted: Files): number[] {
    const isWanted = (files: Files) => changedPaths(files, wanted).length === 0;
    const seen = this.#sights.filter((sight) => sight.thread === thread && isWanted(sight.files)).map(({ at }) => at);
    const again = this.#changes.flatMap(({ before, after }, at) => [
      ...(isWanted(before) ? [at] : []),
      ...(isWanted(after) ? [at + 1] : []),
    ]);
    const [first = Number.POSITIVE_INFINITY] = seen;
    return [...new Set([...seen, ...again.filter((at) => at > first)])];
  }

  #since(at: number, thread: string, present: Files, wanted: Files): Landing | undefined {
    const changes = this.#changes.slice(at);
    const isOthers = (change: Change) => change.thread !== undefined && change.thread !== thread;
    const contested = contestedPaths(changes.filter(isOthers));
    const conflicts: string[] = [];
    let files = wanted;
    for (const path of contested) {
      const isOwn = ({ thread: by, before, after }: Change) =>
        by === thread && changedPaths(before, after).includes(path);
      const merged = !changes.some(isOwn)
        ? present
        : takeBack(withPaths({}, present, [path]), path, runs(changes, path, isOthers));
      if (merged === undefined) conflicts.push(path);
      files = withPaths(files, merged ?? present, [path]);
    }
    return conflicts.every((path) => LISTS.includes(path))
      ? { files, conflicts: conflicts.sort(), contested }
      : undefined;
  }
}

interface Change {
  /** Undefined for the user. */
  readonly thread: string | undefined;
  readonly before: Files;
  readonly after: Files;
}

/** Nobody's edit may be left where a file became later what it was at some time before the user changed it, or what is wanted. */
function editedIn(changes: readonly Change[], wanted: Files): Edits {
  const edited = new Set<string>();
  const unsure = new Set<string>();
  for (const [at, { thread, before, after }] of changes.entries()) {
    if (thread !== undefined) continue;
    for (const path of changedPaths(before, after)) {
      edited.add(path);
      const pasts = [wanted, ...changes.slice(0, at + 1).map((each) => each.before)].map(
        (files) => onDisk(files)[path],
      );
      if (changes.slice(at).some((later) => pasts.includes(onDisk(later.after)[path]))) unsure.add(path);
    }
  }
  return { sure: [...edited].filter((path) => !unsure.has(path)), unsure: [...unsure] };
}

/** The files that these changes have changed, all in all. */
function contestedPaths(changes: readonly Change[]): string[] {
  const paths = new Set(changes.flatMap(({ before, after }) => changedPaths(before, after)));
  return [...paths].filter((path) => {
    const of = changes.filter(({ before, after }) => changedPaths(before, after).includes(path));
    return changedPaths(of[0]?.before ?? {}, of.at(-1)?.after ?? {}).includes(path);
  });
}

/** The changes of a file that are not others', newest first. One that goes on where the last one ended is one with it. */
function runs(changes: readonly Change[], path: string, isOthers: (change: Change) => boolean): Change[] {
  const found: Change[] = [];
  for (const change of changes) {
    if (isOthers(change) || !changedPaths(change.before, change.after).includes(path)) continue;
    const last = found.at(-1);
    const goesOn = last && !changedPaths(last.after, change.before).includes(path);
    found.splice(goesOn ? -1 : found.length, 1, { ...change, before: goesOn ? last.before : change.before });
  }
  return found.reverse();
}

/** One file without some of its changes; undefined in a conflict. */
function takeBack(present: Files, path: string, changes: readonly Change[]): Files | undefined {
  let files = present;
  for (const change of changes) {
    const [before, after] = [withPaths({}, change.before, [path]), withPaths({}, change.after, [path])];
    const wanted = changesBetween(after, before);
    for (const name of Object.keys(wanted))
      if (files[name] !== after[name] && files[name] !== before[name]) return undefined;
    files = withChanges(files, wanted);
  }
  return files;
}
