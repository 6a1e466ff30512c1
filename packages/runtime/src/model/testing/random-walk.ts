import {
  activeTake,
  branch,
  changeSetting,
  type Entry,
  editEntry,
  insertEntry,
  patchEntry,
  removeEntry,
  switchTake,
  takes,
  truncateEntries,
} from "@retake/core";
import type { AnswerBlock, Fault, ScriptedAnswer } from "./answer-script.ts";
import { MODELS, ModelSession } from "./model-session.ts";
import type { Asked } from "./provider-server.ts";

/**
 * Everything that can happen to a conversation between two requests, in any order: turns with many tools and
 * any model, faults, interrupts and crashes in the middle of them, edits, undos, redos, branches, switches. The
 * servers refuse what the providers refuse; whatever is refused is a fault of ours.
 */
export class RandomWalk {
  readonly session: ModelSession;
  readonly #random: () => number;
  readonly #counts = new Map<string, number>();
  #asked = 0;

  private constructor(session: ModelSession, seed: number) {
    this.session = session;
    this.#random = randomFrom(seed);
    session.server.answerWith((asked) => this.#answer(asked));
    session.server.keep = 1;
  }

  static async start(seed: number): Promise<RandomWalk> {
    return new RandomWalk(await ModelSession.start(), seed);
  }

  /** How many requests were made. */
  get requests(): number {
    return this.#asked;
  }

  /** The deeds, and how often each was done. */
  get summary(): string {
    return [...this.#counts].map(([name, count]) => `${name} ${count}`).join(", ");
  }

  async step(): Promise<string> {
    const [name, act] = this.#nextAction();
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    await act();
    return name;
  }

  readonly #actions: readonly (readonly [number, string, () => Promise<void> | void])[] = [
    [10, "turn", () => this.#turn()],
    [2, "retry", () => this.#retry()],
    [3, "interrupt", () => this.#interrupted()],
    [2, "crash", () => this.#crashed()],
    [4, "edit", () => this.#onEntry((entry) => this.#edit(entry))],
    [3, "insert", () => this.#insert()],
    [3, "remove", () => this.#onEntry((entry) => this.#remove(entry))],
    [2, "role", () => this.#onEntry((entry) => this.#changeRole(entry))],
    [3, "undo", () => this.#undo()],
    [2, "redo", () => this.#redo()],
    [2, "branch", () => this.#onEntry((entry) => this.#branch(entry))],
    [2, "switch", () => this.#switch()],
    [1, "prompt", () => this.#systemPrompt()],
    [1, "truncate", () => this.#truncate()],
  ];

  async #turn(): Promise<void> {
    await this.session.turn(this.#prompt(), this.#pick(MODELS));
  }

  async #retry(): Promise<void> {
    await this.session.retry(this.#prompt(), this.#pick(MODELS));
  }

  async #interrupted(): Promise<void> {
    const stop = new AbortController();
    let left = Math.floor(this.#random() * 12);
    const onEvent = () => {
      left -= 1;
      if (left === 0) stop.abort();
    };
    await this.session.turn(this.#prompt(), this.#pick(MODELS), { signal: stop.signal, onEvent });
  }

  /** The process dies during an event; the next one recovers the turn. */
  async #crashed(): Promise<void> {
    let left = Math.ceil(this.#random() * 12);
    const onEvent = () => {
      left -= 1;
      if (left === 0) throw new Crash();
    };
    try {
      await this.session.turn(this.#prompt(), this.#pick(MODELS), { onEvent });
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      if (this.#random() < 0.2) await this.session.reopen();
    }
  }

  #edit(entry: Entry): void {
    this.#change((state, context) => editEntry(state, context, { entry: entry.id, content: this.#text() }));
  }

  #insert(): void {
    const { workspace } = this.session;
    const entries = this.session.entries();
    const before = entries[Math.floor(this.#random() * (entries.length + 1))]?.id;
    const entry = { id: workspace.store.identity.id(), content: this.#text(), role: this.#pick(ROLES) };
    this.#change((state, context) => insertEntry(state, context, { entry, ...(before ? { before } : {}) }));
  }

  #remove(entry: Entry): void {
    this.#change((state, context) => removeEntry(state, context, { entry: entry.id }));
  }

  #changeRole(entry: Entry): void {
    this.#change((state, context) =>
      patchEntry(state, context, { entry: entry.id, patch: { role: this.#pick(ROLES) } }),
    );
  }

  async #undo(): Promise<void> {
    const steps = this.#random() < 0.5;
    const count = 1 + Math.floor(this.#random() * 2);
    await this.session.workspace.undo(this.session.thread, { steps, count }, { onConflict: "overwrite" });
  }

  async #redo(): Promise<void> {
    await this.session.workspace.redo(this.session.thread, 1, { onConflict: "overwrite" });
  }

  async #branch(entry: Entry): Promise<void> {
    const { workspace, thread } = this.session;
    const take = workspace.store.identity.id();
    await workspace.changeWithFiles(thread, (history, context) => branch(history, context, { entry: entry.id, take }), {
      onConflict: "overwrite",
    });
  }

  async #switch(): Promise<void> {
    const { workspace, thread } = this.session;
    const all = workspace.store.read(thread, ({ state }) => takes(state).map(({ id }) => id));
    const take = this.#pick(all);
    if (take === workspace.store.read(thread, ({ state }) => activeTake(state))) return;
    await workspace.changeWithFiles(thread, ({ state }, context) => switchTake(state, context, { take }), {
      onConflict: "overwrite",
    });
  }

  #systemPrompt(): void {
    const value = this.#random() < 0.3 ? "" : this.#text();
    this.#change((state, context) => changeSetting(state, context, { field: "project_system_prompt", value }));
  }

  /** Long conversations are slow to check and show nothing new. */
  #truncate(): void {
    if (this.session.entries().length < 40) return;
    this.#change((state, context) => truncateEntries(state, context, { pairs: 3 }));
  }

  async #onEntry(act: (entry: Entry) => Promise<void> | void): Promise<void> {
    const entries = this.session.entries();
    if (entries.length > 0) await act(this.#pick(entries));
  }

  #change(build: Parameters<ModelSession["workspace"]["store"]["change"]>[1]): void {
    this.session.workspace.store.change(this.session.thread, build);
  }

  #answer({ number }: Asked): ScriptedAnswer {
    this.#asked += 1;
    const random = this.#random();
    const fault: Fault | undefined =
      random < 0.03
        ? { kind: "status", status: this.#pick([429, 500, 529]) }
        : random < 0.09
          ? {
              kind: this.#pick(["drop", "end", "malformed"]),
              after: this.#pick(["start", "thinking", "text", "arguments"]),
            }
          : undefined;
    const stop = this.#random() < 0.06 ? this.#pick(["length", "refused"] as const) : "end";
    return { blocks: this.#blocks(number), stop, ...(fault ? { fault } : {}) };
  }

  #blocks(number: number): AnswerBlock[] {
    const blocks: AnswerBlock[] = [];
    if (this.#random() < 0.6)
      blocks.push({ type: "thinking", text: `Thought ${number}.\n\nAnd more: ${this.#pick(WORDS).toWellFormed()}` });
    if (this.#random() < 0.1) blocks.push({ type: "redacted" });
    if (this.#random() < 0.7) blocks.push({ type: "text", text: `Answer ${number}. ` });
    if (this.#random() < 0.15) {
      blocks.push(
        { type: "thinking", text: `Second thought ${number}.` },
        { type: "text", text: `More of ${number}.` },
      );
    }
    const calls = this.#random() < 0.5 ? Math.ceil(this.#random() * 3) : 0;
    for (let index = 0; index < calls; index += 1) blocks.push(this.#call(number, index));
    return blocks;
  }

  #call(number: number, index: number): AnswerBlock {
    // Models number their calls from the beginning again, or give none an id of its own.
    const id = this.#pick([`call_${number}_${index}`, `call_${index}`, "same", `toolu.${number}/${index}`]);
    const path = `file-${Math.floor(this.#random() * 5)}`;
    const [name, input] = this.#pick([
      ["write", { path, content: `written in ${number}` }],
      ["read", { path }],
      ["bash", { command: `printf %s ${number} >> ${path}` }],
      ["glob", { pattern: "*" }],
      ["launch", {}],
      ["read", { nonsense: true }],
      ["write", '{"path": "cut o'],
    ] as const);
    return { type: "call", id, name, input };
  }

  /** A blank or broken one is refused before anything begins. */
  #prompt(): string {
    return `${this.#text().toWellFormed()} ${this.#asked}`;
  }

  #text(): string {
    return this.#pick(WORDS);
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  #nextAction(): readonly [string, () => Promise<void> | void] {
    let left = this.#random() * this.#actions.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, name, act] of this.#actions) {
      left -= weight;
      if (left < 0) return [name, act];
    }
    throw new Error("no action");
  }
}

class Crash extends Error {}

const ROLES = ["User", "AI", "System", "Vendor API", "Reviewer"];
const WORDS = [
  "Do it.",
  "  spaces around  ",
  "Zeile\nzwei",
  "🙂 é 漢字",
  " ",
  "",
  "\ud800 broken",
  "<tool_result>",
  "x".repeat(500),
];

/** Mulberry32: small, and random enough for these tests. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
