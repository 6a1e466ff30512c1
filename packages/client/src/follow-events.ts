import { ApiError } from "./api-error.ts";
import { readEventStream } from "./read-event-stream.ts";
import type { FeedEvent } from "./wire/event.ts";

export interface FollowOptions {
  /** Only this thread's. */
  readonly thread?: string;
  /** The number behind which to begin; without one, from now on. */
  readonly since_seq?: number;
  readonly signal?: AbortSignal;
  /** Told when the connection stands, and when it is lost. */
  readonly onConnection?: (connected: boolean) => void;
}

type Connect = (
  query: object,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
) => Promise<Response>;

const FIRST_WAIT = 100;
const LONGEST_WAIT = 5000;

/**
 * Events for as long as anyone asks for them. A connection that breaks is made anew behind the last event
 * that was seen, so none is missed; where the server cannot tell some of them any more, it says `gap`.
 */
export async function* followEvents(connect: Connect, options: FollowOptions): AsyncGenerator<FeedEvent, void> {
  const { signal, thread } = options;
  let last = options.since_seq;
  let wait = FIRST_WAIT;
  while (!signal?.aborted) {
    try {
      const headers: Record<string, string> = last === undefined ? {} : { "last-event-id": String(last) };
      const response = await connect({ thread }, headers, signal);
      options.onConnection?.(true);
      for await (const { id, data } of readEventStream(response)) {
        wait = FIRST_WAIT;
        if (id !== undefined) last = Number(id);
        if (data !== undefined) yield JSON.parse(data) as FeedEvent;
      }
    } catch (error) {
      if (signal?.aborted) return;
      // Who is not let in now will not be later; all else may be better in a moment.
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
    }
    options.onConnection?.(false);
    await pause(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
