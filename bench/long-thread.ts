import { join } from "node:path";
import {
  type Built,
  type Context,
  editEntry,
  endTool,
  finishTurn,
  type History,
  type Operation,
  proposeTool,
  replaceEntries,
  startTool,
  startTurn,
  streamTurn,
} from "@retake/core";
import { Identity } from "../packages/runtime/src/store/identity.ts";
import { openDatabase } from "../packages/runtime/src/store/open-database.ts";
import { ThreadStore } from "../packages/runtime/src/store/thread-store.ts";

/** A thread made of whole turns: prompt, call, result, answer. */
export interface LongThread {
  readonly id: string;
  readonly root: string;
  readonly turns: number;
  /** A word that one entry of this thread says, and no other thread. */
  readonly rare: string;
  /** A word that each turn of this thread says, and no other thread. */
  readonly common: string;
  /** The end of the turn before the last. */
  readonly beforeLast: string;
}

export const ENTRIES_A_TURN = 4;

/** The entries of a turn, counted from 0. */
export function entryOf(turn: number, part: "prompt" | "call" | "result" | "answer"): string {
  return `entry-${turn}-${part}`;
}

export function turnOf(turn: number): string {
  return `turn-${turn}`;
}

const ADDED_A_COMMIT = 250;

/**
 * Adds turns to a thread, past the server and the runner, but with the operations of a real turn. The turns change no
 * files, so that only the thread is measured.
 */
export function fillWithTurns(home: string, thread: { id: string; root: string }, turns: number): LongThread {
  // A search finds words that begin so, too: neither may be the beginning of another thread's.
  const words = { rare: `rare${turns}x`, common: `common${turns}x` };
  let ends: string[] = [];
  fill(home, thread.id, turns, (commit, turn) => {
    ends = [...ends.slice(-1), addTurn(commit, turn, turn === turns >>> 1 ? words.rare : "", words.common)];
  });
  return { ...thread, ...words, turns, beforeLast: ends[0] ?? "" };
}

/** Makes a thread of entries that one operation put there, as an import does, and of an edit: there is no turn in it. */
export function fillAtOnce(
  home: string,
  thread: string,
  count: number,
  entryAt: (index: number) => { readonly role?: string; readonly content: string } = (index) => ({
    content: `This is what entry ${index} says. `.repeat(5),
  }),
): void {
  const entries = Array.from({ length: count }, (_, index) => ({ id: `entry-${index}`, ...entryAt(index) }));
  fill(home, thread, 1, (commit) => {
    commit((state, context) => replaceEntries(state, context, { entries }));
    commit((state, context) => editEntry(state, context, { entry: "entry-1", content: "edited" }));
  });
}

type Decide = (state: History["state"], context: Context) => Built;
type Commit = (decide: Decide) => Operation;

function fill(home: string, thread: string, times: number, add: (commit: Commit, number: number) => void): void {
  const database = openDatabase(join(home, "data", "retake.db"));
  const store = new ThreadStore(database, { outbox: true });
  const identity = new Identity(Date.now);
  const commit = (decide: Decide): Operation => {
    const done = store.change(thread, ({ state }) => decide(state, identity.context({ kind: "agent" })));
    if ("code" in done) throw new Error(done.message);
    return done;
  };
  try {
    for (let first = 0; first < times; first += ADDED_A_COMMIT) {
      database.transaction(() => {
        for (let number = first; number < Math.min(first + ADDED_A_COMMIT, times); number += 1) add(commit, number);
      });
    }
  } finally {
    database.close();
  }
}

function addTurn(commit: Commit, number: number, rare: string, common: string): string {
  const turn_id = turnOf(number);
  const [call, result, answer] = [entryOf(number, "call"), entryOf(number, "result"), entryOf(number, "answer")];
  const asked = { id: `call-${number}`, name: "read" };
  const prompt = { id: entryOf(number, "prompt"), content: `Say what file ${number} is about. ${common} ${rare}` };
  const calls = { tool_calls: [{ ...asked, input: { path: `file-${number}.txt` } }] };
  commit((state, context) => startTurn(state, context, { turn_id, prompt, model: "scripted/default" }));
  commit((state, context) =>
    streamTurn(state, context, { turn_id, entry: call, text: "I read the file first.", fields: calls }),
  );
  commit((state, context) => proposeTool(state, context, { turn_id, entry: result, call: asked }));
  commit((state, context) => startTool(state, context, { turn_id, entry: result, call: asked }));
  const content = `This is what file ${number} says.\n`.repeat(8);
  commit((state, context) => endTool(state, context, { turn_id, entry: result, status: "completed", content }));
  const text = `File ${number} says the same thing eight times, line by line. `.repeat(3);
  commit((state, context) => streamTurn(state, context, { turn_id, entry: answer, text }));
  return commit((state, context) => finishTurn(state, context, { turn_id, status: "finished" })).id;
}
