import { statSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../database/database.ts";
import { CaptureError } from "../model/capture-error.ts";
import type { BytePath } from "../model/model.ts";
import { diskPath, showPath } from "../model/path-bytes.ts";
import { globalExcludesFile } from "../scan/global-excludes.ts";
import { Capturer, type CaptureSettings, type CaptureTask, type TaskOptions, type TaskRunner } from "./capturer.ts";

/**
 * Captures on the caller's thread and connection. For a small workspace, where starting threads would take longer than
 * all its captures. The process does nothing else meanwhile.
 */
export class CaptureHere implements TaskRunner {
  readonly #capturer: Promise<Capturer>;
  #onProgress: TaskOptions["onProgress"];

  constructor(database: Database, settings: CaptureSettings) {
    this.#capturer = this.#open(database, settings);
    // Each task reports the failure.
    this.#capturer.catch(() => undefined);
  }

  async run<T>(task: CaptureTask, { signal, onProgress }: TaskOptions = {}): Promise<T> {
    const capturer = await this.#capturer;
    // No `await` from here on, so tasks never overlap, and a task that has begun cannot be cancelled.
    if (signal?.aborted) {
      throw new CaptureError("cancelled", "The capture was cancelled before it began. Nothing was saved.");
    }
    this.#onProgress = onProgress;
    return capturer.perform(task) as T;
  }

  async close(): Promise<void> {
    await this.#capturer.then(
      (capturer) => capturer.close(),
      () => undefined,
    );
  }

  async #open(database: Database, settings: CaptureSettings): Promise<Capturer> {
    // First of all, so that git, if it is needed, answers while the store is read.
    const globalExcludes = await globalExcludesFile(showPath(settings.root), join(settings.store, "git-excludes.json"));
    return new Capturer({
      ...settings,
      lookFrom: standsIn(settings.root) ? "." : settings.root,
      database,
      globalExcludes,
      cancel: new Int32Array(1),
      onProgress: (files, bytes) => this.#onProgress?.({ files, bytes }),
    });
  }
}

/** Whether the current directory of the process is the root. */
function standsIn(root: BytePath): boolean {
  const here = statSync(".", { throwIfNoEntry: false });
  const there = statSync(diskPath(root, ""), { throwIfNoEntry: false });
  return here !== undefined && here.ino === there?.ino && here.dev === there.dev;
}
