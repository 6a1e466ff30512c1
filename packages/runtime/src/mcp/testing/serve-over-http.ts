import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { testServer } from "./test-server.ts";

/** The test server at an address, for requests with this header. */
export async function serveOverHttp(header: string, value: string) {
  const handler = createMcpHandler(() => testServer());
  const server = createServer(async (request, response) => {
    if (request.headers[header] !== value) return void response.writeHead(401).end();
    const answer = await handler.fetch(await asRequest(request));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]).pipe(response);
    else response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function asRequest(request: IncomingMessage): Promise<Request> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === "string") headers.set(name, value);
  const body = request.method === "POST" ? { body: await buffer(request) } : {};
  return new Request(`http://127.0.0.1${request.url}`, { method: request.method ?? "GET", headers, ...body });
}
