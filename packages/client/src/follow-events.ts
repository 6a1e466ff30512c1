import { Listening } from "./listening.ts";
import { isFinal, Patience } from "./patience.ts";
import { readEventStream } from "./read-event-stream.ts";
import type { RetakeEvent } from "./wire/event.ts";

export interface FollowedEvents extends FollowOptions {
  /** Only this thread's. */
  readonly thread?: string;
}

export interface FollowOptions {
  /** The `seq` of the last event that was seen; without it, from now on (`stream-opened`), or from the beginning of a turn. */
  readonly since_seq?: string;
  readonly signal?: AbortSignal;
  /** Told when the connection stands, and when it is lost. */
  readonly onConnection?: (connected: boolean) => void;
  /** How long nothing may be heard, not even a heartbeat (every 15 seconds), before the connection is taken for lost. */
  readonly silence_ms?: number;
}

type Connect = (headers: Readonly<Record<string, string>>, signal: AbortSignal | undefined) => Promise<Response>;

/**
 * Events for as long as anyone asks for them, or until the last. A connection that breaks is made anew after the last event
 * that was seen, so none is missed; where the server cannot tell some of them any more, it says `gap`.
 */
export async function* followEvents(
  connect: Connect,
  options: FollowOptions,
  isLast: (event: RetakeEvent) => boolean = () => false,
): AsyncGenerator<RetakeEvent, void> {
  const { signal, silence_ms = 45_000 } = options;
  let last = options.since_seq;
  let over = false;
  const patience = new Patience(signal);
  while (!signal?.aborted) {
    const listening = new Listening(signal, silence_ms);
    try {
      const headers: Record<string, string> = last === undefined ? {} : { "last-event-id": last };
      const response = await connect(headers, listening.signal);
      options.onConnection?.(true);
      for await (const { id, data } of readEventStream(response)) {
        listening.heard();
        patience.wentWell();
        last = id ?? last;
        if (data === undefined) continue;
        const event = JSON.parse(data) as RetakeEvent;
        over ||= isLast(event);
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
