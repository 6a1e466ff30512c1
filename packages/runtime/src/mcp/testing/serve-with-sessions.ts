import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A server at an address that gives each client a session, as the protocol allows, and can forget all of them. */
export async function serveWithSessions(status: number) {
  const sessions = new Set<string>();
  let begun = 0;
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(request.method === "DELETE" ? 200 : 405).end();
    const { id, method, params } = (await json(request)) as Message;
    const answer = (result: object, session: Record<string, string> = {}) => {
      response.writeHead(200, { "content-type": "application/json", ...session });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    };
    if (method === "initialize") {
      begun += 1;
      sessions.add(`session-${begun}`);
      const serverInfo = { name: "sessions", version: "1" };
      const { protocolVersion } = params ?? {};
      return answer(
        { protocolVersion, capabilities: { tools: {} }, serverInfo },
        { "mcp-session-id": `session-${begun}` },
      );
    }
    if (!sessions.has(String(request.headers["mcp-session-id"]))) return void response.writeHead(status).end();
    if (method === "tools/list") return answer({ tools: [{ name: "look", inputSchema: { type: "object" } }] });
    if (method === "tools/call") return answer({ content: [{ type: "text", text: `saw it in session ${begun}` }] });
    response.writeHead(202).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    forget: () => sessions.clear(),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
}
