import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** An HTTP proxy before a sync server that changes requests and answers, as another version would make them. */
export class RewritingProxy {
  /** Changes the headers of a request; a status instead of headers answers it at once. */
  onRequest: (headers: Record<string, string>, path: string) => Answer | undefined = () => undefined;
  onAnswer: (answer: Json, path: string) => Json | Promise<Json> = (answer) => answer;
  readonly #server: Server;

  constructor(target: () => string) {
    this.#server = createServer((request, response) => {
      void this.#forward(request, target()).then(
        ({ status, body }) => response.writeHead(status, { "content-type": "application/json" }).end(body),
        () => response.destroy(),
      );
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #forward(request: IncomingMessage, target: string): Promise<{ status: number; body: Buffer | string }> {
    const body = await bytesOf(request);
    const { url: path = "", method } = request;
    const headers = { ...request.headers } as Record<string, string>;
    const refused = this.onRequest(headers, path);
    if (refused) return { status: refused.status, body: JSON.stringify(refused.body) };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = httpRequest(target + path, { method, headers }, resolve).on("error", reject);
      sent.end(body);
    });
    const answered = await bytesOf(answer);
    const status = answer.statusCode ?? 500;
    if (status !== 200 || !String(answer.headers["content-type"]).includes("json")) return { status, body: answered };
    return { status, body: JSON.stringify(await this.onAnswer(JSON.parse(answered.toString()), path)) };
  }
}

type Json = Record<string, unknown>;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
