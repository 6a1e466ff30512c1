import type { routes } from "@retake/client/routes";
import { type Cursor, type FeedEvent, parseCursor } from "@retake/runtime";
import { idsOf, threadNamed } from "@retake/runtime/actions";
import type { HandlerCall } from "./handlers/handler.ts";
import { RequestError } from "./request-error.ts";

/** More readers than any number of screens needs; each costs a connection. */
const MOST_READERS = 500;
/** A reader that takes nothing for this long is gone, whatever its connection says. */
const STUCK_MS = 60_000;

let readers = 0;

export function eventResponse(call: HandlerCall<(typeof routes)["followEvents"]>): Response {
  const { runtime, query, header, signal } = call;
  const since = sinceOf(header("last-event-id"), query.since_seq);
  const thread = query.thread === undefined ? undefined : threadNamed(call, query.thread);
  return streamed((ending) => runtime.feed.follow({ since, thread, signal: ending }), signal);
}

/** The events of one turn. It ends with the turn, also where the server ends: turns are ended first, and their ends told. */
export function turnEventResponse(call: HandlerCall<(typeof routes)["followTurn"]>): Response {
  const { runtime, header } = call;
  const { id: thread = "", turn = "" } = idsOf(call);
  if (!runtime.turns.canFollow(thread, turn))
    throw new RequestError(
      404,
      "no-such-turn",
      "No turn of that id waits or runs here. GET …/turns says how it ended.",
    );
  const since = sinceOf(header("last-event-id"), undefined);
  return streamed((ending) => runtime.feed.follow({ since, thread, turn, signal: ending }));
}

/** Server-sent events. The next ones are taken when the connection has taken the last. */
function streamed(
  follow: (ending: AbortSignal) => AsyncGenerator<readonly FeedEvent[], void>,
  signal?: AbortSignal,
): Response {
  if (readers >= MOST_READERS) throw new RequestError(503, "too-many-readers", "Too many follow the events already.");
  const ending = new AbortController();
  const end = () => ending.abort();
  signal?.addEventListener("abort", end, { once: true });
  const batches = follow(ending.signal);
  readers += 1;
  let stuck: NodeJS.Timeout | undefined;
  const finish = () => {
    if (!ending.signal.aborted) ending.abort();
    clearTimeout(stuck);
  };
  ending.signal.addEventListener("abort", () => {
    readers -= 1;
    signal?.removeEventListener("abort", end);
  });
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(BEGINNING),
      async pull(controller) {
        clearTimeout(stuck);
        const { value, done } = await batches.next();
        if (done) {
          finish();
          controller.close();
          return;
        }
        controller.enqueue(value.length === 0 ? HEARTBEAT : Buffer.concat(value.map(bytesOf)));
        stuck = setTimeout(finish, STUCK_MS);
        stuck.unref();
      },
      cancel: finish,
    },
    { highWaterMark: 1 },
  );
  return new Response(stream, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
  });
}

const encoder = new TextEncoder();
/** Sent at once, so that a reader knows that it is connected. */
const BEGINNING = encoder.encode("retry: 500\n: connected\n\n");
const HEARTBEAT = encoder.encode(": heartbeat\n\n");

/** Every reader is sent the same bytes, so they are made once. */
const encoded = new WeakMap<FeedEvent, Uint8Array>();

function bytesOf(event: FeedEvent): Uint8Array {
  const known = encoded.get(event);
  if (known) return known;
  const bytes = encoder.encode(`id: ${event.seq}\ndata: ${event.json}\n\n`);
  encoded.set(event, bytes);
  return bytes;
}

/** A reader that comes back sends `Last-Event-ID` by itself, so it is newer than the URL. */
function sinceOf(last: string | undefined, since: string | undefined): Cursor | undefined {
  const text = last === undefined || last === "" ? since : last;
  if (text === undefined) return undefined;
  const cursor = parseCursor(text);
  if (!cursor)
    throw new RequestError(400, "invalid-input", "Last-Event-ID and since_seq take the id of an event of this feed.");
  return cursor;
}
