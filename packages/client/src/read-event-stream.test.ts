import { expect, test } from "vitest";
import { readEventStream, type StreamedEvent } from "./read-event-stream.ts";
import { eventStream, loopback } from "./testing/loopback.ts";

async function eventsOf(chunks: Iterable<string | Uint8Array>, end: "close" | "break" = "close") {
  const readOne = Promise.withResolvers<void>();
  const url = await loopback(() => eventStream(chunks, end === "break" ? readOne.promise : end));
  const events: StreamedEvent[] = [];
  const read = async () => {
    for await (const event of readEventStream(await fetch(url))) {
      events.push(event);
      readOne.resolve();
    }
  };
  const failed = await read().then(
    () => false,
    () => true,
  );
  return { events, failed };
}

const TEXT =
  'retry: 500\n: connected\n\nid: 1.a\ndata: {"text":"ünï 日本 🙂"}\n\n: heartbeat\n\nid: 2.b\ndata: two\ndata: lines\n\n';
const EVENTS = [{}, { id: "1.a", data: '{"text":"ünï 日本 🙂"}' }, {}, { id: "2.b", data: "two\nlines" }];

test("[P8] reads the same events wherever the stream is torn, also inside of a character", async () => {
  const bytes = new TextEncoder().encode(TEXT);
  // One byte a chunk tears at every place at once.
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    );
    expect((await eventsOf(chunks)).events).toMatchObject(EVENTS);
  }
});

test("[P8] takes every line end that the standard allows", async () => {
  for (const end of ["\r\n", "\r"]) {
    // The last line end is complete only when another character follows.
    const { events } = await eventsOf([`${TEXT.replaceAll("\n", end)}: end${end}`]);
    expect(events.slice(0, EVENTS.length)).toMatchObject(EVENTS);
  }
});

test("[P8] leaves out an event that is not complete when the connection ends or breaks", async () => {
  const chunks = ["id: 1\ndata: whole\n\n", "id: 2\ndata: half\n"];
  expect(await eventsOf(chunks)).toMatchObject({ events: [{ id: "1", data: "whole" }], failed: false });
  expect(await eventsOf(chunks, "break")).toMatchObject({ events: [{ id: "1", data: "whole" }], failed: true });
});

test("[P8] ends the connection when the reader stops", async () => {
  const ended = Promise.withResolvers<void>();
  const forever = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("data: more\n\n")),
    cancel: () => ended.resolve(),
  });
  const url = await loopback(() => new Response(forever));
  for await (const { data } of readEventStream(await fetch(url))) {
    expect(data).toBe("more");
    break;
  }
  await ended.promise;
});
