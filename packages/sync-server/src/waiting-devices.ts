import type { SqlDatabase } from "./storage/sql-database.ts";

/** How often changes by other processes are looked for, while somebody waits. */
const LOOK_MS = 1000;

/**
 * Devices that wait for a change of their vault. Changes of this process wake them at once. Those of other processes are
 * found by one query a second, however many devices wait.
 */
export class WaitingDevices {
  readonly #database: SqlDatabase;
  /** By vault: how to wake a device, and the last change that it knows of. */
  readonly #waiting = new Map<string, Map<() => void, number>>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /** Ends when the vault has a change after `known`, the time is over, or the request is given up. */
  async wait(vault: string, known: number, ms: number, signal: AbortSignal): Promise<void> {
    if (this.#closed || signal.aborted) return;
    const all = this.#waiting.get(vault) ?? new Map<() => void, number>();
    this.#waiting.set(vault, all);
    this.#timer ??= setInterval(() => void this.#look(), LOOK_MS);
    const { promise, resolve } = Promise.withResolvers<void>();
    const over = setTimeout(resolve, ms);
    const wake = () => resolve();
    signal.addEventListener("abort", wake, { once: true });
    all.set(wake, known);
    await promise;
    clearTimeout(over);
    signal.removeEventListener("abort", wake);
    all.delete(wake);
    if (all.size === 0 && this.#waiting.get(vault) === all) this.#waiting.delete(vault);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** A vault has changed, by a request to this process. */
  tell(vault: string): void {
    for (const wake of this.#waiting.get(vault)?.keys() ?? []) wake();
  }

  get count(): number {
    return [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const vault of this.#waiting.keys()) this.tell(vault);
  }

  async #look(): Promise<void> {
    const vaults = [...this.#waiting.keys()];
    // A database that does not answer now is asked again in a second, and by the devices themselves.
    const rows = await this.#database
      .everywhere((sql) =>
        sql.allOf<{ vault: string; change_seq: number }>(
          "SELECT vault, change_seq FROM vaults WHERE vault =",
          [],
          vaults,
        ),
      )
      .catch(() => []);
    for (const { vault, change_seq } of rows)
      for (const [wake, known] of this.#waiting.get(vault) ?? []) if (change_seq > known) wake();
  }
}
