import type { Database } from "../database/database.ts";
import { ByteReader, ByteWriter } from "../model/byte-codec.ts";
import type { BytePath, Change, Hash } from "../model/model.ts";
import { hasContent, readState, writeState } from "../model/state-codec.ts";
import type { Claim } from "../scan/claimed-paths.ts";
import { NUMBERS_PER_ENTRY } from "../scan/stat-table.ts";

/**
 * The paths of a workspace that are captured although ignore rules leave them out, because a tool of the agent's own
 * writes them (F24). Each is claimed before its first change, with the state it had then. That state is in no earlier
 * capture: the change list that ends with the first change contains it as its `before`.
 *
 * Every capture reads the claims anew, so that processes share them. A restore writes the state it leaves.
 */
export class Claims {
  readonly #database: Database;
  readonly #workspace: number;

  constructor(database: Database, workspace: number) {
    this.#database = database;
    this.#workspace = workspace;
  }

  all(): Map<BytePath, Claim> {
    const rows = this.#database
      .prepare("SELECT path, state, numbers, captured FROM claims WHERE workspace = ?")
      .iterate(this.#workspace);
    const found = new Map<BytePath, Claim>();
    for (const { path, state, numbers, captured } of rows) {
      const known = numbers instanceof Uint8Array ? new Float64Array(Uint8Array.from(numbers).buffer) : undefined;
      found.set(Buffer.from(path as Uint8Array).toString("latin1"), {
        state: readState(new ByteReader(state as Uint8Array)),
        numbers: known?.length === NUMBERS_PER_ENTRY ? known : undefined,
        captured: captured === 1,
      });
    }
    return found;
  }

  put(path: BytePath, { state, numbers, captured }: Claim): void {
    const writer = new ByteWriter();
    writeState(writer, state);
    this.#database.run(
      "INSERT OR REPLACE INTO claims (workspace, path, state, numbers, captured) VALUES (?, ?, ?, ?, ?)",
      this.#workspace,
      Buffer.from(path, "latin1"),
      Buffer.from(writer.take()),
      numbers ? new Uint8Array(numbers.slice().buffer) : null,
      captured ? 1 : 0,
    );
  }

  drop(path: BytePath): void {
    const key = Buffer.from(path, "latin1");
    this.#database.run("DELETE FROM claims WHERE workspace = ? AND path = ?", this.#workspace, key);
  }

  /**
   * Claims the ignored files that a restore leaves. The next scan drops the claims of files that it covers by itself.
   */
  restored(changes: readonly Change[]): void {
    for (const { path, before, after } of changes) {
      const ignored = [before, after].some((state) => state !== undefined && "ignored" in state);
      if (ignored) this.put(path, { state: after, numbers: undefined, captured: true });
    }
  }
}

/** The contents that claims of any workspace refer to. */
export function* claimedHashes(database: Database): Iterable<Hash> {
  for (const { state } of database.prepare("SELECT state FROM claims").iterate()) {
    const found = readState(new ByteReader(state as Uint8Array));
    if (hasContent(found)) yield found.hash;
  }
}
