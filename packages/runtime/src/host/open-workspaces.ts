import { openRetake, type Retake, type RetakeOptions } from "../open-retake.ts";
import { WorkspaceGate } from "./workspace-gate.ts";

export interface OpenWorkspace {
  readonly retake: Retake;
  readonly gate: WorkspaceGate;
}

interface Open extends OpenWorkspace {
  /** Resolves when what was interrupted there is finished. */
  finished: Promise<void> | undefined;
  used: number;
  users: number;
}

/** How long a workspace stays open that nobody uses: opening captures nothing, but starts threads. */
const IDLE_MS = 5 * 60 * 1000;

/** A Retake for each workspace that is worked in, opened when it is first needed and closed when it is no more. */
export class OpenWorkspaces {
  readonly #options: Omit<RetakeOptions, "root">;
  readonly #open = new Map<string, Open>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: Omit<RetakeOptions, "root">, idle_ms = IDLE_MS) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#closeIdle(idle_ms), idle_ms / 5);
    this.#timer.unref();
  }

  /**
   * Runs `work` with the workspace, which stays open as long as that takes. A restore that was interrupted there is
   * finished first: until then its files are neither what they were nor what they should be.
   */
  async use<T>(root: string, work: (workspace: OpenWorkspace) => Promise<T>): Promise<T> {
    const open = this.#open.get(root) ?? this.#opened(root);
    open.users += 1;
    try {
      open.finished ??= open.retake.finishKilled();
      await open.finished.catch((error) => {
        open.finished = undefined;
        throw error;
      });
      return await work(open);
    } finally {
      open.users -= 1;
      open.used = Date.now();
    }
  }

  #opened(root: string): Open {
    const retake = openRetake({ ...this.#options, root });
    const open = { retake, gate: new WorkspaceGate(), finished: undefined, used: Date.now(), users: 0 };
    this.#open.set(root, open);
    return open;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    const all = [...this.#open.values()];
    this.#open.clear();
    for (const { retake } of all) await retake.close();
  }

  async #closeIdle(idle_ms: number): Promise<void> {
    for (const [root, open] of this.#open) {
      if (open.users > 0 || !open.gate.idle || Date.now() - open.used < idle_ms) continue;
      this.#open.delete(root);
      await open.retake.close();
    }
  }
}
