import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@retake/core";
import type { ProviderName } from "../provider-access.ts";
import type { Chunk, Fault, ScriptedAnswer } from "./answer-script.ts";
import { anthropicProtocol } from "./anthropic-protocol.ts";
import { compatibleProtocol, deepseekProtocol } from "./chat-protocol.ts";
import { geminiProtocol } from "./gemini-protocol.ts";
import { openaiResponsesProtocol } from "./openai-responses-protocol.ts";
import type { Protocol } from "./protocol.ts";

export const KEY = "canary-key-0123456789-never-written";

/** One real HTTP server that speaks as all providers do, refuses what they refuse, and answers what a test says. */
export class ProviderServer {
  readonly #server: Server;
  readonly #protocols: ReadonlyMap<ProviderName, Protocol> = new Map<ProviderName, Protocol>([
    ["anthropic", anthropicProtocol()],
    ["openai", openaiResponsesProtocol],
    ["google", geminiProtocol],
    ["deepseek", deepseekProtocol],
    ["compatible", compatibleProtocol],
  ]);
  #answer: (asked: Asked) => ScriptedAnswer;
  #number = 0;
  /** Every request that came, with why it was refused. */
  readonly asked: Asked[] = [];
  readonly refused: string[] = [];
  /** How many bodies are kept; of all others only that they came. */
  keep = Number.POSITIVE_INFINITY;
  /** Waits before each piece, to see that pieces arrive one by one. */
  pace: (() => Promise<void>) | undefined;

  private constructor(answer: (asked: Asked) => ScriptedAnswer) {
    this.#answer = answer;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: Error) => {
        this.refused.push(`The test server failed: ${error.stack}`);
        response.destroy();
      });
    });
  }

  static async start(answer: (asked: Asked) => ScriptedAnswer): Promise<ProviderServer> {
    const server = new ProviderServer(answer);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  answerWith(answer: (asked: Asked) => ScriptedAnswer): void {
    this.#answer = answer;
  }

  /** The environment in which all providers are this server. */
  get environment(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    return {
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: url,
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: url,
      GOOGLE_GENERATIVE_AI_API_KEY: KEY,
      GOOGLE_GENERATIVE_AI_BASE_URL: url,
      DEEPSEEK_API_KEY: KEY,
      DEEPSEEK_BASE_URL: url,
      RETAKE_API_KEY: KEY,
      RETAKE_BASE_URL: url,
    };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    const path = request.url ?? "";
    const found = [...this.#protocols].find(([, { path: pattern }]) => pattern.test(path));
    if (!found) {
      response.writeHead(404, { "content-type": "text/html" }).end("<html>Not Found</html>");
      return;
    }
    const [provider, protocol] = found;
    const body = JSON.parse(text) as JsonObject;
    const model = protocol.modelOf(body, path);
    const problems = protocol.keyOf(request.headers) === KEY ? protocol.problems(body, model) : ["wrong key"];
    this.#number += 1;
    const asked: Asked = { number: this.#number, provider, model, body, text, problems };
    this.asked.push(asked);
    if (this.asked.length > this.keep) this.asked.shift();
    if (problems.length > 0) {
      this.refused.push(`${provider}/${model}: ${problems.join("; ")}`);
      answerJson(response, 400, protocol.errorBody(400, problems.join("; ")));
      return;
    }
    const answer = this.#answer(asked);
    if (answer.fault?.kind === "status") refuse(response, protocol, answer.fault);
    else await this.#stream(response, protocol, answer, protocol.chunks(answer, body, model));
  }

  async #stream(response: ServerResponse, protocol: Protocol, answer: ScriptedAnswer, chunks: readonly Chunk[]) {
    const fault = answer.fault?.kind === "status" ? undefined : answer.fault;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    for (const { kind, text } of chunks) {
      await this.pace?.();
      response.write(text);
      if (fault?.after !== kind) continue;
      await written(response);
      switch (fault.kind) {
        case "drop":
          response.destroy();
          return;
        case "stall":
          return;
        case "end":
          response.end();
          return;
        case "malformed":
          response.write('data: {"this is\n\n');
          break;
        case "error-event":
          response.end(protocol.errorEvent(fault.type, fault.message));
          return;
      }
    }
    response.end();
  }
}

export interface Asked {
  readonly number: number;
  readonly provider: ProviderName;
  readonly model: string;
  readonly body: JsonObject;
  /** The body as it came. */
  readonly text: string;
  readonly problems: readonly string[];
}

/** Waits until the data has left this process, so that the reader has it before the connection breaks. */
function written(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.write(": \n\n", () => setImmediate(resolve)));
}

function refuse(response: ServerResponse, protocol: Protocol, fault: Extract<Fault, { kind: "status" }>): void {
  const { status, headers = {}, body = protocol.errorBody(status, `refused with ${KEY} and ${status}`) } = fault;
  answerJson(response, status, body, headers);
}

function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
