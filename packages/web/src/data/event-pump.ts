import { ApiError, createClient, type RetakeEvent } from "@retake/client";

/** A message of the holder of the event stream to every tab. */
export type StreamMessage =
  | { readonly kind: "event"; readonly event: RetakeEvent }
  | { readonly kind: "connection"; readonly connected: boolean }
  | { readonly kind: "signed-out" };

/** Hands on every event of the server, and goes on after the last one whenever it is started again. */
export class EventPump {
  readonly #send: (message: StreamMessage) => void;
  /** The last event that was handed on. */
  #position: string | undefined;
  /** Undefined before the first connection of a run. */
  #connected: boolean | undefined;

  constructor(send: (message: StreamMessage) => void) {
    this.#send = send;
  }

  /** The messages that tell a later tab where the stream is: it hears every event from there on. */
  present(): StreamMessage[] {
    const messages: StreamMessage[] = [];
    if (this.#position !== undefined)
      messages.push({ kind: "event", event: { type: "stream-opened", seq: this.#position } });
    if (this.#connected !== undefined) messages.push({ kind: "connection", connected: this.#connected });
    return messages;
  }

  /** Ends by the signal, or when the server lets this browser in no more. */
  async run(signal: AbortSignal): Promise<void> {
    this.#connected = undefined;
    const client = createClient({ url: location.origin });
    const onConnection = (connected: boolean) => {
      this.#connected = connected;
      this.#send({ kind: "connection", connected });
    };
    try {
      const since = this.#position === undefined ? {} : { since_seq: this.#position };
      for await (const event of client.followEvents({ signal, onConnection, ...since })) {
        // The next run asks for it again.
        if (signal.aborted) return;
        this.#position = event.seq;
        this.#send({ kind: "event", event });
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#position = undefined;
      this.#send({ kind: "signed-out" });
    }
  }
}
