/**
 * The prompts that this tab sent, until their turns begin. The server accepts a prompt before it looks at the workspace, so a
 * turn can be refused after the field was emptied: the directory is gone, the disk is full, or the server ended. Its prompt is
 * then given back, also in a thread that was left meanwhile and after a reload.
 */
import { keep } from "../data/browser-storage.ts";
import { channel, client } from "../data/connection.ts";
import { sayError } from "../data/notices.ts";
import { Store } from "../data/store.ts";

interface SentPrompt {
  readonly turn: string;
  readonly thread: string;
  readonly prompt: string;
  /** Why its turn was not started; undefined while it may begin. */
  readonly failure?: string;
}

const PLACE = "retake-sent-prompts";
const SERVER_ENDED = "The server ended before the turn began.";
/** Refusals that the user asked for, and those after which the server still has the prompt. */
const WANTED: ReadonlySet<string> = new Set(["removed", "interrupted", "paused", "reset"]);

export const sentPrompts = new Store<readonly SentPrompt[]>(read());
/** Why turns were not started: the event of one can be faster than the answer that names it. */
const failures = new Map<string, string>();

sentPrompts.subscribe(() => keep(sessionStorage, PLACE, JSON.stringify(sentPrompts.value)));
channel.onEvent((event) => {
  if (event.type === "turn-started" || event.type === "turn-finished") forgetPrompt(event.turn_id);
  if (event.type !== "turn-not-started") return;
  if (WANTED.has(event.code)) return forgetPrompt(event.turn_id);
  failures.set(event.turn_id, event.message);
  fail(event.turn_id, event.message);
});
channel.onConnection(() => {
  if (channel.connection === "live") void checkPrompts();
});

/** The turn of a prompt was accepted. */
export function rememberPrompt(sent: SentPrompt): void {
  sentPrompts.update((list) => [...list, sent]);
  const failure = failures.get(sent.turn);
  if (failure !== undefined) fail(sent.turn, failure);
}

export function forgetPrompt(turn: string): void {
  sentPrompts.update((list) =>
    list.some((each) => each.turn === turn) ? list.filter((each) => each.turn !== turn) : list,
  );
}

function fail(turn: string, failure: string): void {
  const sent = sentPrompts.value.find((each) => each.turn === turn);
  if (!sent || sent.failure !== undefined) return;
  sentPrompts.update((list) => list.map((each) => (each === sent ? { ...sent, failure } : each)));
  if (!location.pathname.startsWith(`/t/${sent.thread}`))
    sayError(`A prompt in another thread was not started. ${failure} The prompt is kept there.`);
}

/** A server that was killed told nothing of the turns that waited in it. */
async function checkPrompts(): Promise<void> {
  const waiting = sentPrompts.value.filter(({ failure }) => failure === undefined);
  for (const thread of new Set(waiting.map((each) => each.thread))) {
    const answer = await client.listTurns(thread, { last: 100 }).catch(() => undefined);
    if (!answer) continue;
    for (const { turn } of waiting.filter((each) => each.thread === thread)) {
      const found = answer.turns.find(({ id }) => id === turn);
      if (!found) fail(turn, SERVER_ENDED);
      else if (found.status === "not-started") fail(turn, String(found.failure?.["message"] ?? SERVER_ENDED));
      else if (found.status !== "queued") forgetPrompt(turn);
    }
  }
}

function read(): readonly SentPrompt[] {
  return JSON.parse(sessionStorage.getItem(PLACE) ?? "[]") as SentPrompt[];
}
