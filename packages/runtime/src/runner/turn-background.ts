/**
 * The commands of a turn that run in the background, and the files that they change meanwhile.
 *
 *   call ends ── capture ── … other calls … ── capture ── … ── the turn ends: they are ended ── last capture
 *                   └── changes found here are theirs ──┘                                          │
 *                                                       └───────────── and these ──────────────────┘
 *
 * While one runs, nobody can tell its changes from those of the user, as while any command runs: they belong to the
 * turn. So a capture between two calls, which otherwise records edits of the user, records a change of the call that started the
 * command. Several that run at once share their changes. A file that changed after the last of them had ended was
 * changed by the user, and is recorded so (`command-changes.ts`).
 */
import { type Actor, isRefusal, noteBackground, type TakeId, tree } from "@retake/core";
import { type BytePath, type Captured, type Change, deriveCapture } from "@retake/workspace";
import { BackgroundCommands } from "../tools/background-commands.ts";
import type { BackgroundCommand } from "../tools/tool.ts";
import { RefusedError } from "../undo/thread-files.ts";
import { callFiles } from "./call-files.ts";
import { commandChanges } from "./command-changes.ts";
import type { TurnParts } from "./turn.ts";

type Parts = Pick<TurnParts, "store" | "workspace" | "files" | "identity">;

interface TurnPlace {
  readonly thread: string;
  readonly take: TakeId;
  readonly actor: Actor;
}

export class TurnBackground {
  readonly commands = new BackgroundCommands();
  readonly #parts: Parts;
  readonly #place: TurnPlace;
  readonly #turn: string;
  /** Commands with changes that no capture holds yet, by the entry of their call. */
  readonly #open = new Map<string, BackgroundCommand>();

  constructor(parts: Parts, place: TurnPlace, turn: string) {
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

  /** Captures the files, and records what changed since the last capture: the commands' work, and edits of the user after it. */
  async capture(): Promise<Captured> {
    // Before the capture: a command that ends during it may have changed something after it was looked at.
    const ended = [...this.#open].flatMap(([entry, { end }]) => (end ? [entry] : []));
    const captured = await this.#parts.workspace.capture();
    this.#parts.workspace.database.transaction(() => this.#record(captured, ended));
    for (const entry of ended) this.#open.delete(entry);
    return captured;
  }

  /**
   * Records that all commands have ended, and the changes since the last capture. In the commit of the turn's end, after the results of
   * its calls: those hold older captures. Without a capture it records no changes.
   */
  recordEnd(captured: Captured | undefined): void {
    this.#record(captured, [...this.#open.keys()]);
  }

  /** To be called when the end is committed. */
  close(): void {
    this.#open.clear();
    this.commands.forgetMarks();
  }

  /** A capture after a call that changes these files alone, without other changes: those are the commands'. */
  without(captured: Captured, named: readonly BytePath[]): Captured {
    return this.#only(captured, ({ path }) => named.some((each) => each === path || each.startsWith(`${path}/`)));
  }

  #record(captured: Captured | undefined, ended: readonly string[]): void {
    const { store, identity } = this.#parts;
    const { thread, take, actor } = this.#place;
    const calls = [...this.#open].map(([entry, command]) => ({
      entry,
      state: ended.includes(entry) ? endState(command) : { name: command.name, status: "running" },
    }));
    const commands = [...this.#open.values()].map(({ mark }) => commandChanges(this.#parts.workspace.root, mark));
    const files = captured && this.#only(captured, (change) => commands.some((each) => each.mayHaveMade(change)));
    const found = files && files.changes.length > 0 ? callFiles(files) : {};
    const noted = store.change(thread, ({ state }) =>
      noteBackground(state, { ...identity.context(actor), take }, { turn_id: this.#turn, calls, ...found }),
    );
    if (isRefusal(noted) && noted.code !== "nothing-to-do") throw new RefusedError(noted);
    if (captured) this.#parts.files.noteCaptured(thread, captured);
  }

  /** The capture with some of the changes since the tree that the thread knows, and none of the others. */
  #only(captured: Captured, isOwn: (change: Change) => boolean): Captured {
    const { thread, take } = this.#place;
    const { store, workspace } = this.#parts;
    const known = store.read(thread, ({ state }) => tree(state, take));
    if (known === "") return captured;
    const all = workspace.changes(known, captured.id);
    const changes = all.filter(isOwn);
    if (changes.length === all.length) return { ...captured, changes };
    const { database } = workspace;
    return { ...captured, id: database.transaction(() => deriveCapture(database, known, changes)), changes };
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
