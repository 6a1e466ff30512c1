import { Listening } from "./listening.ts";
import { isFinal, Patience } from "./patience.ts";
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
  /** How long nothing may be heard, not even a heartbeat (every 15 seconds), before the connection is taken for lost. */
  readonly silence_ms?: number;
}

type Connect = (
  query: object,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
) => Promise<Response>;

/**
 * Events for as long as anyone asks for them. A connection that breaks is made anew behind the last event
 * that was seen, so none is missed; where the server cannot tell some of them any more, it says `gap`.
 */
export async function* followEvents(connect: Connect, options: FollowOptions): AsyncGenerator<FeedEvent, void> {
  const { signal, thread, silence_ms = 45_000 } = options;
  let last = options.since_seq;
  const patience = new Patience(signal);
  while (!signal?.aborted) {
    const listening = new Listening(signal, silence_ms);
    try {
      const headers: Record<string, string> = last === undefined ? {} : { "last-event-id": String(last) };
      const response = await connect({ thread }, headers, listening.signal);
      options.onConnection?.(true);
      for await (const { id, data } of readEventStream(response)) {
        listening.heard();
        patience.wentWell();
        if (id !== undefined) last = Number(id);
        if (data !== undefined) yield JSON.parse(data) as FeedEvent;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (isFinal(error)) throw error;
    } finally {
      listening.end();
    }
    options.onConnection?.(false);
    await patience.wait();
  }
}
