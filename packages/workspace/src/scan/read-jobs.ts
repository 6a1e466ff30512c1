import type { Hash } from "../model/model.ts";
import { diskPath } from "../model/path-bytes.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { type ReadContent, readFile, readLink } from "./read-content.ts";
import { isRacy, numbersPerEntry, putStat } from "./stat-table.ts";

/** Files to read, in a form that another thread can be given. */
export interface Jobs {
  readonly paths: readonly string[];
  readonly links: Uint8Array;
  readonly predecessors: readonly (Hash | undefined)[];
  /** Of each: its size and its ctime when it was looked at. */
  readonly looks: Float64Array;
}

export const outcomes = ["content", "gone", "unreadable", "replaced"] as const satisfies ReadContent["kind"][];

/** What became of the jobs that one thread took. The n-th of each list belongs to `taken[n]`. */
export interface Outcomes {
  readonly taken: number[];
  readonly kinds: number[];
  readonly hashes: Hash[];
  /** As `putStat` has them, but with the length of the content as the size. */
  readonly numbers: number[];
}

/** Where two threads meet: the next job, whether the other is done, and how far both are. */
export const counters = { next: 0, helperDone: 1, files: 2, kilobytes: 3, length: 4 } as const;

export function newCounters(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(counters.length * Int32Array.BYTES_PER_ELEMENT));
}

/** Takes jobs in turn with other threads that share `shared`, and hands their content to `objects`. */
export function readJobs(
  root: string,
  jobs: Jobs,
  shared: Int32Array,
  objects: ObjectStore,
  between: () => void,
): Outcomes {
  const done: Outcomes = { taken: [], kinds: [], hashes: [], numbers: [] };
  const numbers = new Float64Array(numbersPerEntry);
  const { looks } = jobs;
  const atOnce = 16;
  for (;;) {
    between();
    const start = Atomics.add(shared, counters.next, atOnce);
    if (start >= jobs.paths.length) return done;
    const end = Math.min(start + atOnce, jobs.paths.length);
    let bytes = 0;
    for (let index = start; index < end; index += 1) {
      const path = diskPath(root, jobs.paths[index] ?? "");
      const now = Date.now();
      const read = jobs.links[index]
        ? readLink(path)
        : readFile(path, looks[index * 2] ?? 0, looks[index * 2 + 1] ?? 0);
      numbers.fill(Number.NaN);
      if (read.kind === "content") {
        objects.writeHashed(read.hash, read.content, jobs.predecessors[index]);
        putStat(numbers, 0, read.stat);
        numbers[3] = read.content.byteLength;
        if (read.torn || isRacy(read.stat, now)) numbers[1] = Number.NaN;
        bytes += read.content.byteLength;
      }
      done.taken.push(index);
      done.kinds.push(outcomes.indexOf(read.kind));
      done.hashes.push(read.kind === "content" ? read.hash : "");
      for (let at = 0; at < numbersPerEntry; at += 1) done.numbers.push(numbers[at] ?? 0);
    }
    Atomics.add(shared, counters.files, end - start);
    Atomics.add(shared, counters.kilobytes, Math.ceil(bytes / 1024));
  }
}
