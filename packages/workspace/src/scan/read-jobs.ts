import { freeBuffer } from "../model/free-buffer.ts";
import type { Hash } from "../model/model.ts";
import { diskPath } from "../model/path-bytes.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { type ReadContent, readFile, readLink } from "./read-content.ts";
import { isRacy, NUMBERS_PER_ENTRY, putStat } from "./stat-table.ts";

/** Files to read, in a form that can be sent to another thread. */
export interface Jobs {
  readonly paths: readonly string[];
  readonly links: Uint8Array;
  readonly predecessors: readonly (Hash | undefined)[];
  /** For each file its size and its ctime at its `lstat`. */
  readonly looks: Float64Array;
}

export const OUTCOMES = ["content", "gone", "unreadable", "replaced"] as const satisfies ReadContent["kind"][];

/**
 * The results of the jobs that one thread took. The n-th item of each list belongs to `taken[n]`. Typed arrays, because
 * sending lists of objects to another thread takes longer than reading the files.
 */
export interface Outcomes {
  readonly taken: Uint32Array;
  readonly kinds: Uint8Array;
  /** The letters of all hashes in one row, each `HASH_LENGTH` long. */
  readonly hashes: Uint8Array;
  /** As written by `putStat`, but with the length of the content as the size. */
  readonly numbers: Float64Array;
}

export const HASH_LENGTH = 64;
/** Reused for every call: garbage of worker threads is collected late. */
let scratch = newScratch(0);

function newScratch(length: number) {
  const numbers = new Float64Array(length * NUMBERS_PER_ENTRY);
  const hashes = Buffer.alloc(length * HASH_LENGTH);
  return { length, taken: new Uint32Array(length), kinds: new Uint8Array(length), hashes, numbers };
}

/** Frees memory that is no longer used. */
export function freeOutcomes({ taken, kinds, hashes, numbers }: Outcomes): void {
  for (const each of [taken, kinds, hashes, numbers]) freeBuffer(each);
}

/** The counters that two threads share: the next job, whether the helper is done, and the progress of both. */
export const COUNTERS = { next: 0, helperDone: 1, files: 2, kilobytes: 3, length: 4 } as const;

export function newCounters(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(COUNTERS.length * Int32Array.BYTES_PER_ELEMENT));
}

/** Takes jobs in turn with other threads that use the same `shared` counters, and passes their content to `objects`. */
export function readJobs(
  root: string,
  jobs: Jobs,
  shared: Int32Array,
  objects: ObjectStore,
  between: () => void,
): Outcomes {
  const { looks } = jobs;
  const length = jobs.paths.length;
  if (scratch.length < length) scratch = newScratch(length);
  const { taken, kinds, hashes, numbers } = scratch;
  numbers.fill(Number.NaN);
  const atOnce = 16;
  for (let done = 0; ; ) {
    between();
    const start = Atomics.add(shared, COUNTERS.next, atOnce);
    if (start >= length) {
      return {
        taken: taken.slice(0, done),
        kinds: kinds.slice(0, done),
        hashes: Uint8Array.prototype.slice.call(hashes, 0, done * HASH_LENGTH),
        numbers: numbers.slice(0, done * NUMBERS_PER_ENTRY),
      };
    }
    const end = Math.min(start + atOnce, length);
    let bytes = 0;
    for (let index = start; index < end; index += 1) {
      const path = diskPath(root, jobs.paths[index] ?? "");
      const now = Date.now();
      const read = jobs.links[index]
        ? readLink(path)
        : readFile(path, looks[index * 2] ?? 0, looks[index * 2 + 1] ?? 0);
      if (read.kind === "content") {
        objects.writeHashed(read.hash, read.content, jobs.predecessors[index]);
        hashes.write(read.hash, done * HASH_LENGTH, "latin1");
        const at = done * NUMBERS_PER_ENTRY;
        putStat(numbers, at, read.stat);
        numbers[at + 3] = read.content.byteLength;
        if (read.torn || isRacy(read.stat, now)) numbers[at + 1] = Number.NaN;
        bytes += read.content.byteLength;
      }
      taken[done] = index;
      kinds[done] = OUTCOMES.indexOf(read.kind);
      done += 1;
    }
    Atomics.add(shared, COUNTERS.files, end - start);
    Atomics.add(shared, COUNTERS.kilobytes, Math.ceil(bytes / 1024));
  }
}
