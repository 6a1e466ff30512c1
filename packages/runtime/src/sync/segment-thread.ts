import { Worker } from "node:worker_threads";
import { decodeAgain, operationFormat } from "@retake/core";
import type { Segment } from "@retake/core/sync";
import type { StoredOperation } from "../store/stored-operations.ts";
import type { FoundSegment, SegmentItems } from "./read-segment.ts";

export interface SegmentThreadStart {
  /** The file of the store. */
  readonly file: string;
  /** The key of the thread that is pulled. */
  readonly key: Uint8Array;
  readonly vault: string;
  readonly thread: string;
  readonly device: string;
}

export type SegmentRequest = { readonly kind: "read"; readonly segment: Segment } | { readonly kind: "close" };

/**
 * The caller's side of a thread of this process that reads the segments of one pull: to decrypt and check them takes as
 * long as to store them, and this thread does that meanwhile, and serves others.
 */
export class SegmentThread {
  readonly #worker: Worker;
  readonly #waiting: { readonly resolve: (found: FoundSegment) => void; readonly reject: (error: Error) => void }[] =
    [];
  readonly #exit: Promise<void>;
  #death: Error | undefined;

  constructor(start: SegmentThreadStart) {
    this.#worker = new Worker(new URL("./segment-worker.ts", import.meta.url), {
      workerData: start,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#worker.on("message", (packed: PackedSegment) => this.#waiting.shift()?.resolve(unpackSegment(packed)));
    this.#worker.on("error", (cause) => this.#die(cause));
    this.#exit = new Promise((resolve) =>
      this.#worker.once("exit", () => {
        this.#die(undefined);
        resolve();
      }),
    );
  }

  /** Answers come in the order of the questions. */
  read(segment: Segment): Promise<FoundSegment> {
    if (this.#death) return Promise.reject(this.#death);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#send({ kind: "read", segment });
    });
  }

  /** Lets the thread end by itself: a thread that is terminated while it works can crash the process. */
  async close(): Promise<void> {
    this.#send({ kind: "close" });
    await this.#exit;
  }

  #send(request: SegmentRequest): void {
    this.#worker.postMessage(request);
  }

  #die(cause: unknown): void {
    this.#death ??= new Error("The thread that reads segments ended. Nothing was changed.", { cause });
    for (const { reject } of this.#waiting.splice(0)) reject(this.#death);
  }
}

/** Most objects are garbage when their segment has been read. */
const YOUNG_MB = 16;

/** A read segment as it is sent between threads: to parse an operation takes less time than to copy it. */
type PackedSegment =
  | Exclude<FoundSegment, SegmentItems>
  | (Omit<SegmentItems, "read"> & { readonly stored: readonly StoredOperation[] });

export function packSegment(found: FoundSegment): PackedSegment {
  if (found.kind === "unreadable") return found;
  const { read, ...rest } = found;
  return { ...rest, stored: read.map(({ stored }) => stored) };
}

/** Parsed when it is stored: many may arrive at once, and others are served in between. */
function unpackSegment(packed: PackedSegment): FoundSegment {
  if (packed.kind === "unreadable") return packed;
  const { stored, ...rest } = packed;
  let read: SegmentItems["read"] | undefined;
  return {
    ...rest,
    get read() {
      read ??= stored.map((each) => {
        const operation = decodeAgain(operationFormat, JSON.parse(each.body));
        return { kind: "operation", operation, stored: each };
      });
      return read;
    },
  };
}
