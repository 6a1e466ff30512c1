/**
 * The commands of a turn that run in the background, and the files that they change meanwhile.
 *
 *   call ends ── capture ── … other calls … ── capture ── … ── the turn ends: they are ended ── last capture
 *                   └── changes found here are theirs ──┘                                          │
 *                                                       └───────────── and these ──────────────────┘
 *
 * While one runs, nobody can tell its changes from those of the user, as while any command runs: they belong to the
 * turn. So a capture between two calls, which otherwise records edits of the user, records a change of the call that started the
 * command. Several that run at once share their changes.
 */
import { type Actor, noteBackground, type TakeId, tree } from "@retake/core";
import { type BytePath, type Captured, deriveCapture } from "@retake/workspace";
import { BackgroundCommands } from "../tools/background-commands.ts";
import type { BackgroundCommand } from "../tools/tool.ts";
import { RefusedError } from "../undo/thread-files.ts";
import { callFiles } from "./call-files.ts";
import type { TurnParts } from "./turn.ts";

interface Place {
  readonly thread: string;
  readonly take: TakeId;
  readonly actor: Actor;
}

export class TurnBackground {
  readonly commands = new BackgroundCommands();
  readonly #parts: Pick<TurnParts, "store" | "workspace" | "identity">;
  readonly #place: Place;
  readonly #turn: string;
  /** Commands with changes that no capture holds yet, by the entry of their call. */
  readonly #open = new Map<string, BackgroundCommand>();

  constructor(parts: Pick<TurnParts, "store" | "workspace" | "identity">, place: Place, turn: string) {
    this.#parts = parts;
    this.#place = place;
    this.#turn = turn;
  }

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  started(entry: string, command: BackgroundCommand): void {
    this.#open.set(entry, command);
  }

  /** Captures the files, and records what changed since the last capture as the commands' work. */
  async capture(): Promise<Captured> {
    // Before the capture: a command that ends during it may have changed something after it was looked at.
    const ended = [...this.#open].flatMap(([entry, { end }]) => (end ? [entry] : []));
    const captured = await this.#parts.workspace.capture();
    this.#record(captured, ended);
    for (const entry of ended) this.#open.delete(entry);
    return captured;
  }

  /**
   * Records that all commands have ended, and their last changes. In the commit of the turn's end, after the results of
   * its calls: those hold older captures. Without a capture it records no changes.
   */
  recordEnd(captured: Captured | undefined): void {
    this.#record(captured, [...this.#open.keys()]);
  }

  /** To be called when the end is committed. */
  close(): void {
    this.#open.clear();
  }

  /** A capture after a call that changes these files alone, without other changes: those are the commands'. */
  without(captured: Captured, named: readonly BytePath[]): Captured {
    const all = this.#changed(captured);
    const changes = all.changes.filter(({ path }) =>
      named.some((each) => each === path || each.startsWith(`${path}/`)),
    );
    const known = this.#known();
    if (known === "" || changes.length === all.changes.length) return all;
    const { database } = this.#parts.workspace;
    return { ...all, id: database.transaction(() => deriveCapture(database, known, changes)), changes };
  }

  #record(captured: Captured | undefined, ended: readonly string[]): void {
    const { store, identity } = this.#parts;
    const { thread, take, actor } = this.#place;
    const calls = [...this.#open].map(([entry, command]) => ({
      entry,
      state: ended.includes(entry) ? endState(command) : { name: command.name, status: "running" },
    }));
    const files = captured && this.#changed(captured);
    const found = files && files.changes.length > 0 ? callFiles(files) : {};
    const noted = store.change(thread, ({ state }) =>
      noteBackground(state, { ...identity.context(actor), take }, { turn_id: this.#turn, calls, ...found }),
    );
    if ("code" in noted && noted.code !== "nothing-to-do") throw new RefusedError(noted);
  }

  /** With the changes since the tree that the thread knows. */
  #changed(captured: Captured): Captured {
    const known = this.#known();
    const { workspace } = this.#parts;
    return { ...captured, changes: known === "" ? captured.changes : workspace.changes(known, captured.id) };
  }

  #known(): string {
    const { thread, take } = this.#place;
    return this.#parts.store.read(thread, ({ state }) => tree(state, take));
  }
}

function endState({ name, end, keeper }: BackgroundCommand) {
  return {
    name,
    status: "ended",
    by: end?.reason === "aborted" ? "retake" : "itself",
    exit_code: end?.code ?? null,
    signal: end?.signal ?? null,
    output_bytes: keeper.bytes,
    output: keeper.end,
  };
}
