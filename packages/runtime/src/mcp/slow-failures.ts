import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { McpServerConfig } from "../config/server-config.ts";
import { writeOwnFile } from "../config/write-own-file.ts";

/** A failure that comes sooner delays no turn: the server is tried each time. */
const SLOW_MS = 1000;
const FIRST_WAIT_MS = 5 * 60_000;
const LONGEST_WAIT_MS = 60 * 60_000;

/**
 * The MCP servers that were slow to fail. A hanging server would otherwise delay every turn until the connection times out,
 * also those of the next processes, so the failures are files. They may be lost. A server whose configuration changes is
 * tried at once.
 */
export class SlowFailures {
  readonly #directory: string;
  readonly #root: string;
  readonly #now: () => number;

  constructor({ state, root, now }: { readonly state: string; readonly root: string; readonly now: () => number }) {
    this.#directory = join(state, "mcp-failures");
    this.#root = root;
    this.#now = now;
  }

  /** Whether a server failed so lately that it is not tried again yet. A time ahead is of a clock that was set back. */
  waits(name: string, config: McpServerConfig): boolean {
    const { failed_at, wait_ms } = this.#read(name, config);
    const since = this.#now() - failed_at;
    return since >= 0 && since < wait_ms;
  }

  /** Returns for how many minutes the server is not tried again; 0 if it failed at once. */
  note(name: string, config: McpServerConfig, took_ms: number): number {
    if (took_ms < SLOW_MS) return 0;
    const before = this.#read(name, config).wait_ms;
    const wait_ms = Math.min(LONGEST_WAIT_MS, before === 0 ? FIRST_WAIT_MS : before * 2);
    writeOwnFile(this.#file(name, config), JSON.stringify({ failed_at: this.#now(), wait_ms }));
    return wait_ms / 60_000;
  }

  forget(name: string, config: McpServerConfig): void {
    rmSync(this.#file(name, config), { force: true });
  }

  #read(name: string, config: McpServerConfig): { readonly failed_at: number; readonly wait_ms: number } {
    try {
      const { failed_at, wait_ms } = JSON.parse(readFileSync(this.#file(name, config), "utf8"));
      if (typeof failed_at === "number" && typeof wait_ms === "number") return { failed_at, wait_ms };
    } catch {
      // None, or half of one: the server is tried.
    }
    return { failed_at: 0, wait_ms: 0 };
  }

  /** The hash also keeps the keys in a configuration out of file names. */
  #file(name: string, config: McpServerConfig): string {
    const key = JSON.stringify([this.#root, name, config]);
    return join(this.#directory, createHash("sha256").update(key).digest("hex").slice(0, 32));
  }
}
