import { Listening } from "./listening.ts";
import { isFinal, Patience } from "./patience.ts";
import { readEventStream } from "./read-event-stream.ts";

export interface FollowedEvents extends FollowOptions {
  /** Only this thread's. */
  readonly thread?: string;
  /** The number behind which to begin; without one, from now on. */
  readonly since_seq?: number;
}

export interface FollowOptions {
  readonly signal?: AbortSignal;
  /** Told when the connection stands, and when it is lost. */
  readonly onConnection?: (connected: boolean) => void;
  /** How long nothing may be heard, not even a heartbeat (every 15 seconds), before the connection is taken for lost. */
  readonly silence_ms?: number;
}

type Connect = (headers: Readonly<Record<string, string>>, signal: AbortSignal | undefined) => Promise<Response>;

interface Following<Event> extends FollowOptions {
  readonly since_seq?: number | undefined;
  /** Behind such an event the stream ends, and is not made anew. */
  readonly isLast?: (event: Event) => boolean;
}

/**
 * Events for as long as anyone asks for them, or until the last. A connection that breaks is made anew behind the last event
 * that was seen, so none is missed; where the server cannot tell some of them any more, it says `gap`.
 */
export async function* followEvents<Event>(connect: Connect, options: Following<Event>): AsyncGenerator<Event, void> {
  const { signal, isLast, silence_ms = 45_000 } = options;
  let last = options.since_seq;
  let over = false;
  const patience = new Patience(signal);
  while (!signal?.aborted) {
    const listening = new Listening(signal, silence_ms);
    try {
      const headers: Record<string, string> = last === undefined ? {} : { "last-event-id": String(last) };
      const response = await connect(headers, listening.signal);
      options.onConnection?.(true);
      for await (const { id, data } of readEventStream(response)) {
        listening.heard();
        patience.wentWell();
        if (id !== undefined) last = Number(id);
        if (data === undefined) continue;
        const event = JSON.parse(data) as Event;
        over ||= isLast?.(event) ?? false;
        yield event;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (isFinal(error)) throw error;
    } finally {
      listening.end();
    }
    if (over) return;
    options.onConnection?.(false);
    await patience.wait();
  }
}
