export interface StreamedEvent {
  readonly id?: string;
  readonly data?: string;
}

/** The events of a `text/event-stream`. One that has not ended when the connection does is not an event. */
export async function* readEventStream(response: Response): AsyncGenerator<StreamedEvent, void> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) yield parse(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parse(block: string): StreamedEvent {
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("id: ")) id = line.slice(4);
    else if (line.startsWith("data: ")) data.push(line.slice(6));
  }
  return { ...(id === undefined ? {} : { id }), ...(data.length === 0 ? {} : { data: data.join("\n") }) };
}
