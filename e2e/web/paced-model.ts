import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/**
 * A model over HTTP that answers at a pace: for tests in which text streams for as long as they need it. It speaks the
 * protocol of chat completions, so the server uses its real provider.
 */
export class PacedModel {
  readonly #server = createServer((request, response) => {
    request.resume();
    request.on("end", () => void this.#answer(response));
  });
  readonly #everyMs: number;
  readonly #most: number;
  #enough = 0;

  private constructor(tokensPerSecond: number, most: number) {
    this.#everyMs = 1000 / tokensPerSecond;
    this.#most = most;
  }

  /** `most`: after so many tokens an answer goes on without a word. */
  static async open(tokensPerSecond: number, most = Number.POSITIVE_INFINITY): Promise<PacedModel> {
    const model = new PacedModel(tokensPerSecond, most);
    await new Promise<void>((resolve) => model.#server.listen(0, "127.0.0.1", resolve));
    return model;
  }

  /** The surroundings of a server that uses this model. */
  get environment(): NodeJS.ProcessEnv {
    const { port } = this.#server.address() as AddressInfo;
    return {
      RETAKE_MODEL: "compatible/paced",
      RETAKE_BASE_URL: `http://127.0.0.1:${port}/v1`,
      RETAKE_API_KEY: "paced",
    };
  }

  /** Ends the answers that stream now. */
  finish(): void {
    this.#enough += 1;
  }

  async close(): Promise<void> {
    this.finish();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(response: ServerResponse): Promise<void> {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const round = this.#enough;
    const began = performance.now();
    const chunk = (delta: object, reason: string | null = null) =>
      response.write(
        `data: ${JSON.stringify({
          id: "paced",
          object: "chat.completion.chunk",
          created: 0,
          model: "paced",
          choices: [{ index: 0, delta, finish_reason: reason }],
        })}\n\n`,
      );
    chunk({ role: "assistant", content: "" });
    // As many tokens as are due, so that a slow timer does not slow the stream.
    for (let sent = 0; round === this.#enough && !response.destroyed; await wait(10)) {
      const due = Math.min(this.#most, (performance.now() - began) / this.#everyMs);
      for (; sent < due; sent += 1) chunk({ content: sent % 25 === 24 ? `w${sent}.\n\n` : `w${sent} ` });
    }
    if (response.destroyed) return;
    chunk({}, "stop");
    response.end("data: [DONE]\n\n");
  }
}
