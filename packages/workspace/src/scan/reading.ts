/**
 * Reads the files that a scan finds, on two threads, while the scan continues.
 *
 *   scan ──▶ batches of jobs ──▶ the second thread takes jobs as soon as they are known
 *                           └──▶ the scanning thread takes jobs when batches pile up, and when the scan is over
 *
 * The second thread takes the oldest batch first, the scanning thread the newest, so that neither waits for the other.
 * Batches end in the order in which they were found: a file that is read twice in one scan ends with its last result.
 */
import { freeBuffer } from "../model/free-buffer.ts";
import type { BytePath, Hash } from "../model/model.ts";
import type { RecordedState } from "../model/state-codec.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import {
  COUNTERS,
  freeOutcomes,
  HASH_LENGTH,
  type Jobs,
  newCounters,
  OUTCOMES,
  type Outcomes,
  readJobs,
} from "./read-jobs.ts";
import type { ScanHelper, SharedJobs } from "./scan-helper.ts";
import type { ReadJob, Scanner } from "./scanner.ts";
import { NUMBERS_PER_ENTRY } from "./stat-table.ts";

/** With fewer files, one thread is done before a second one could help. */
const FILES_WORTH_SHARING = 1_000;
/** Enough to keep the second thread busy while the first looks for more; each batch takes memory. */
const MOST_WAITING = 1;

export interface ReadingOptions {
  readonly root: BytePath;
  readonly objects: ObjectStore;
  /** A second thread, if there is one; requested only when there is enough work for it. */
  readonly helper: () => ScanHelper | undefined;
  /** Called now and then with the totals of this scan; may throw to end it. */
  readonly onRead: (files: number, bytes: number) => void;
}

interface Batch {
  readonly found: readonly ReadJob[];
  readonly jobs: Jobs;
  readonly shared: SharedJobs;
  /** The results of the scanning thread. */
  own?: Outcomes;
}

export class Reading {
  readonly #options: ReadingOptions;
  readonly #waiting: Batch[] = [];
  /** The thread that has read some of this scan's files, and holds their content. */
  #helper: ScanHelper | undefined;
  #files = 0;
  #kilobytes = 0;

  constructor(options: ReadingOptions) {
    this.#options = options;
  }

  /** Reads files now or soon. The scanner gets the result of each; of the last one when `end` returns. */
  read(scanner: Scanner, found: readonly ReadJob[]): void {
    const jobs = jobsOf(found);
    if (this.#waiting.length > 0 || found.length >= FILES_WORTH_SHARING) this.#helper ??= this.#options.helper();
    if (!this.#helper || (this.#waiting.length === 0 && found.length < FILES_WORTH_SHARING)) {
      const shared = newCounters();
      finishJobs(scanner, found, this.#own(jobs, shared));
      this.#count(shared);
      return;
    }
    this.#waiting.push({ found, jobs, shared: this.#helper.read(jobs) });
    while (this.#waiting[0]?.shared.done) this.#endOldest(scanner);
    if (this.#waiting.length > MOST_WAITING) this.#takeShare(this.#waiting.at(-1));
  }

  /** When this returns, every file was read and its content is in the object store. */
  end(scanner: Scanner): void {
    for (const batch of this.#waiting.toReversed()) this.#takeShare(batch);
    while (this.#waiting.length > 0) this.#endOldest(scanner);
    if (this.#helper) this.#options.objects.adopt(this.#helper.handOver());
    this.#reset();
  }

  /** Stops reading; the results are not needed any more. */
  abandon(): void {
    const helper = this.#helper;
    const waiting = this.#waiting.splice(0);
    this.#reset();
    try {
      for (const { shared } of waiting) shared.abandon();
    } catch {
      // The helper does not answer; an earlier call has reported that.
    }
    helper?.forget();
  }

  #takeShare(batch: Batch | undefined): void {
    if (batch) batch.own ??= this.#own(batch.jobs, batch.shared.counters);
  }

  #endOldest(scanner: Scanner): void {
    const oldest = this.#waiting.shift();
    if (!oldest) return;
    const { found, jobs, shared, own } = oldest;
    const { done, handed } = shared.end();
    this.#options.objects.adopt(handed);
    for (const each of own ? [own, done] : [done]) finishJobs(scanner, found, each);
    this.#count(shared.counters);
    freeBuffer(jobs.looks);
  }

  #own(jobs: Jobs, shared: Int32Array): Outcomes {
    const { root, objects, onRead } = this.#options;
    return readJobs(root, jobs, shared, objects, () =>
      onRead(
        this.#files + Atomics.load(shared, COUNTERS.files),
        (this.#kilobytes + Atomics.load(shared, COUNTERS.kilobytes)) * 1024,
      ),
    );
  }

  #count(shared: Int32Array): void {
    this.#files += Atomics.load(shared, COUNTERS.files);
    this.#kilobytes += Atomics.load(shared, COUNTERS.kilobytes);
  }

  #reset(): void {
    this.#helper = undefined;
    this.#files = 0;
    this.#kilobytes = 0;
  }
}

function jobsOf(found: readonly ReadJob[]): Jobs {
  const looks = new Float64Array(found.length * 2);
  found.forEach(({ size, ctime }, index) => {
    looks[index * 2] = size;
    looks[index * 2 + 1] = ctime;
  });
  return {
    paths: found.map(({ path }) => path),
    links: Uint8Array.from(found, ({ kind }) => (kind === "link" ? 1 : 0)),
    predecessors: found.map(({ before }) => (before?.kind === "file" ? before.hash : undefined)),
    looks,
  };
}

function finishJobs(scanner: Scanner, jobs: readonly ReadJob[], done: Outcomes): void {
  const hashes = Buffer.from(done.hashes.buffer, done.hashes.byteOffset, done.hashes.byteLength);
  done.taken.forEach((taken, position) => {
    const job = jobs[taken];
    if (!job) return;
    const numbers = done.numbers.subarray(position * NUMBERS_PER_ENTRY, (position + 1) * NUMBERS_PER_ENTRY);
    const hash = hashes.toString("latin1", position * HASH_LENGTH, (position + 1) * HASH_LENGTH);
    scanner.finish(job, stateRead(job, done.kinds[position] ?? 0, hash, numbers), numbers);
  });
  freeOutcomes(done);
}

function stateRead(job: ReadJob, outcome: number, hash: Hash, numbers: Float64Array): RecordedState | undefined {
  const ignored = job.ignored ? ({ ignored: true } as const) : {};
  const [, , , size = 0, mode = 0] = numbers;
  switch (OUTCOMES[outcome]) {
    case "content":
      if (job.kind === "link") return { kind: "link", hash, size, ...ignored };
      return { kind: "file", hash, size, mode: mode & 0o7777, ...ignored };
    case "unreadable":
      return { kind: "uncovered", reason: "unreadable" };
    default:
      return undefined;
  }
}
