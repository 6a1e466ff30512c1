import { ApiError, createClient, type RetakeEvent } from "@retake/client";

/** A message of the holder of the event stream to every tab. */
export type StreamMessage =
  | { readonly kind: "event"; readonly event: RetakeEvent }
  | { readonly kind: "connection"; readonly connected: boolean }
  /** The stream is open since before this tab came. */
  | { readonly kind: "joined" }
  | { readonly kind: "signed-out" };

let last: string | undefined;

/** Hands on every event until the signal ends it, or the server lets this browser in no more. */
export async function pumpEvents(signal: AbortSignal, send: (message: StreamMessage) => void): Promise<void> {
  const client = createClient({ url: location.origin });
  const onConnection = (connected: boolean) => send({ kind: "connection", connected });
  try {
    const since = last === undefined ? {} : { since_seq: last };
    for await (const event of client.followEvents({ signal, onConnection, ...since })) {
      last = event.seq;
      send({ kind: "event", event });
    }
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    last = undefined;
    send({ kind: "signed-out" });
  }
}
