import { expect, test } from "vitest";
import { createClient } from "./create-client.ts";
import { eventStream, eventText, loopback } from "./testing/loopback.ts";
import type { RetakeEvent } from "./wire/event.ts";

const event = (seq: string, type = "operation-committed") => eventText(seq, { type });

/** A client of a server that answers its first connection with the first response, and so on. */
async function connectionsTo(responses: readonly (() => Response)[]) {
  const asked: (string | null)[] = [];
  const url = await loopback((request) => {
    asked.push(request.headers.get("last-event-id"));
    return responses[asked.length - 1]?.() ?? new Response("", { status: 410 });
  });
  return { asked, client: createClient({ url }) };
}

async function take(
  events: AsyncGenerator<RetakeEvent, void>,
  count: number,
  onSeen: (seq: string) => void = () => {},
): Promise<string[]> {
  const seen: string[] = [];
  for await (const { seq } of events) {
    onSeen(seq);
    if (seen.push(seq) === count) break;
  }
  return seen;
}

test("[P8] resumes after the last event that was seen, whether the connection ended, broke, or tore an event", async () => {
  const third = Promise.withResolvers<void>();
  const { asked, client } = await connectionsTo([
    () => eventStream([event("1"), event("2")], "close"),
    () => eventStream([event("3"), event("4").slice(0, 20)], third.promise),
    () => eventStream([event("4")], "stay"),
  ]);
  const connections: boolean[] = [];
  const onConnection = (connected: boolean) => void connections.push(connected);
  const events = client.followEvents({ since_seq: "0", onConnection });
  const seen = await take(events, 4, (seq) => seq === "3" && third.resolve());
  expect(seen).toEqual(["1", "2", "3", "4"]);
  expect(asked).toEqual(["0", "2", "3"]);
  expect(connections).toEqual([true, false, true, false, true]);
});

test("[P8] waits for a server in trouble", async () => {
  const { asked, client } = await connectionsTo([
    () => Response.json({ error: { code: "too-many-readers", message: "Too many." } }, { status: 503 }),
    () => Response.json({}, { status: 429 }),
    () => eventStream([event("1")], "stay"),
  ]);
  expect(await take(client.followEvents(), 1)).toEqual(["1"]);
  expect(asked).toEqual([null, null, null]);
});

test("[P8] throws what will not be better later", async () => {
  const error = { code: "unauthorized", message: "Sign in." };
  const { client } = await connectionsTo([() => Response.json({ error }, { status: 401 })]);
  await expect(take(client.followEvents(), 1)).rejects.toMatchObject({ status: 401, ...error });
});

test("[P8] takes a connection for lost when nothing is heard for long, and resumes", async () => {
  // On a busy machine a connection may be silent for that long before its first event, too: it is asked for again.
  const url = await loopback((request) => {
    const next = request.headers.get("last-event-id") === "1" ? "2" : "1";
    return eventStream([": heartbeat\n\n", event(next)], "stay");
  });
  expect(await take(createClient({ url }).followEvents({ silence_ms: 200 }), 2)).toEqual(["1", "2"]);
});

test("[P8] ends without an error when the signal is aborted, also while it waits", async () => {
  const { client } = await connectionsTo([() => eventStream([event("1")], "stay")]);
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const { seq } of client.followEvents({ signal: stop.signal })) {
    seen.push(seq);
    stop.abort();
  }
  expect(seen).toEqual(["1"]);
  const nobody = createClient({ url: "http://127.0.0.1:1" });
  const later = new AbortController();
  const onConnection = () => later.abort();
  expect(await take(nobody.followEvents({ signal: later.signal, onConnection }), 1)).toEqual([]);
});

test("[P8] a turn's events end with the turn, and are asked for again where the connection broke before", async () => {
  const first = Promise.withResolvers<void>();
  const { asked, client } = await connectionsTo([
    () => eventStream([event("1", "turn-started")], first.promise),
    () => eventStream([event("2", "turn-finished")], "close"),
  ]);
  expect(await take(client.followTurn("T-1", "turn-1"), 99, () => first.resolve())).toEqual(["1", "2"]);
  expect(asked).toEqual([null, "1"]);
});
