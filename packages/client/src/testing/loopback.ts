import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type Handler = (request: Request) => Response | Promise<Response>;

/** Serves a handler over HTTP on loopback until the test ends; returns its address. A body that fails breaks the connection. */
export async function loopback(handler: Handler): Promise<string> {
  const server = createServer((incoming, outgoing) => void answer(handler, incoming, outgoing));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answer(handler: Handler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = "GET", url = "/" } = incoming;
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
  const headers = incoming.headers as Record<string, string>;
  const response = await handler(new Request(`http://127.0.0.1${url}`, { method, headers, ...body }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  const reader = response.body?.getReader();
  outgoing.on("close", () => void reader?.cancel().catch(() => undefined));
  try {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done || outgoing.closed) break;
      if (!outgoing.write(value)) await Promise.race([once(outgoing, "drain"), once(outgoing, "close")]);
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

/**
 * A response of server-sent events: these chunks, one after the other. Then it closes, stays, or breaks as soon as a promise
 * is resolved: what a reader has not read when a connection breaks is lost.
 */
export function eventStream(chunks: Iterable<string | Uint8Array>, end: "close" | "stay" | Promise<void>): Response {
  const encoder = new TextEncoder();
  const rest = [...chunks].map((chunk) => (typeof chunk === "string" ? encoder.encode(chunk) : chunk));
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = rest.shift();
        if (chunk) return controller.enqueue(chunk);
        if (end === "close") return controller.close();
        await (end === "stay" ? new Promise(() => {}) : end);
        controller.error(new Error("broken"));
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** An event as the server writes it. */
export function eventText(seq: string, event: object): string {
  return `id: ${seq}\ndata: ${JSON.stringify({ seq, ...event })}\n\n`;
}
