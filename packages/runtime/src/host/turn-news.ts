import type { Feed } from "../events/feed.ts";
import type { Passing } from "../events/feed-event.ts";
import type { TurnEvent } from "../runner/turn.ts";
import { WAITS } from "../undo/hold-workspace.ts";
import type { TurnInput, WaitingTurn } from "./waiting-turn.ts";

/** Tells the readers of the feed what becomes of turns. */
export class TurnNews {
  readonly #feed: Feed;

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  /** Once, and only to callers that wait for a limited time: a screen shows its queue. */
  sayItWaits(turn: WaitingTurn): void {
    if (turn.input.waitMs === undefined || turn.saidItWaits) return;
    turn.saidItWaits = true;
    this.tell(turn, { type: "notice", message: WAITS });
  }

  tell(turn: WaitingTurn, event: TurnEvent): void {
    if (event.type === "turn-started") turn.status = "running";
    if (event.type === "turn-finished") turn.status = "finished";
    if (event.type === "retry") {
      const { message, retry_at, attempt, attempts } = event;
      turn.retry = { message, retry_at, attempt, attempts };
    }
    // The commit comes before the event about it.
    if (!LIVE.has(event.type)) this.#feed.look();
    this.say(turn, { ...event });
  }

  say(turn: { readonly id: string; readonly input: Pick<TurnInput, "thread"> }, { type, ...event }: Passing): void {
    this.#feed.tell({ type, thread_id: turn.input.thread, turn_id: turn.id, ...event });
  }
}

/** Events that are sent while they happen, and committed later or never. */
const LIVE: ReadonlySet<TurnEvent["type"]> = new Set(["text", "thinking", "tool-output", "notice", "retry"]);
