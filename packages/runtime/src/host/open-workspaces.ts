import { existsSync } from "node:fs";
import { resolveRoot } from "@retake/workspace";
import { aliasesIn } from "../store/directories.ts";
import type { Store } from "../store/open-store.ts";
import { Workspace, type WorkspaceOptions } from "../workspace/open-workspace.ts";
import { ActionError } from "./action-error.ts";
import { WorkspaceGate } from "./workspace-gate.ts";

export interface OpenWorkspace {
  readonly workspace: Workspace;
  readonly gate: WorkspaceGate;
}

interface Open extends OpenWorkspace {
  /** Resolves when interrupted work there is finished. */
  finished: Promise<void> | undefined;
  used: number;
  users: number;
}

/** The time that an unused workspace stays open: opening captures nothing, but starts threads. */
const IDLE_MS = 5 * 60 * 1000;

/** The workspaces in use. Each is opened at its first use, and closed when it is unused for a while. */
export class OpenWorkspaces {
  readonly #store: Store;
  readonly #options: Omit<WorkspaceOptions, "root">;
  readonly #open = new Map<string, Open>();
  readonly #timer: NodeJS.Timeout;

  constructor(store: Store, options: Omit<WorkspaceOptions, "root"> = {}, idle_ms = IDLE_MS) {
    this.#store = store;
    this.#options = options;
    this.#timer = setInterval(() => void this.#closeIdle(idle_ms), idle_ms / 5);
    this.#timer.unref();
  }

  /**
   * Runs `work` with the workspace, which stays open as long as that takes. A restore that was interrupted there is
   * finished first: until then its files are neither what they were nor what they should be.
   */
  async use<T>(root: string, work: (workspace: OpenWorkspace) => Promise<T>): Promise<T> {
    requireDirectory(root);
    const open = this.#open.get(root) ?? this.#opened(root);
    open.users += 1;
    try {
      // Also later: a command line may have been killed beside this server.
      if (open.workspace.isHalfRestored()) open.finished = undefined;
      open.finished ??= open.workspace.finishKilled();
      await open.finished.catch((error) => {
        open.finished = undefined;
        throw error;
      });
      return await work(open);
    } finally {
      open.users -= 1;
      open.used = this.#store.now();
    }
  }

  /** The workspace without finishing interrupted work there. */
  open(directory: string): Workspace {
    const root = resolveRoot(directory, aliasesIn(this.#store.directories));
    return (this.#open.get(root) ?? this.#opened(root)).workspace;
  }

  #opened(root: string): Open {
    const workspace = new Workspace(this.#store, { ...this.#options, root });
    const open = { workspace, gate: new WorkspaceGate(), finished: undefined, used: this.#store.now(), users: 0 };
    this.#open.set(root, open);
    return open;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    const all = [...this.#open.values()];
    this.#open.clear();
    for (const { workspace } of all) await workspace.close();
  }

  async #closeIdle(idle_ms: number): Promise<void> {
    for (const [root, open] of this.#open) {
      if (open.users > 0 || !open.gate.idle || this.#store.now() - open.used < idle_ms) continue;
      this.#open.delete(root);
      await open.workspace.close();
    }
  }
}

export function requireDirectory(root: string): void {
  if (existsSync(root)) return;
  const message = `The directory ${root} is not there. Nothing was changed. Put it back, or make it again, and try again.`;
  throw new ActionError("workspace-missing", message);
}
