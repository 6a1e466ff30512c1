import { createParser } from "eventsource-parser";

/** An event, or, without `data`, a comment: a server that has nothing to say sends one as its heartbeat. */
export interface StreamedEvent {
  readonly id?: string | undefined;
  readonly data?: string;
}

/** The events of a `text/event-stream`. An event that is not complete when the connection ends is left out. */
export async function* readEventStream(response: Response): AsyncGenerator<StreamedEvent, void> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const read: StreamedEvent[] = [];
  const parser = createParser({ onEvent: (event) => read.push(event), onComment: () => read.push({}) });
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      parser.feed(value);
      yield* read.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
