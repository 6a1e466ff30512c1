import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The name under which a server knows it. */
export const BUSY = "compatible/busy";

/** Seconds after which the model wants to be asked again: longer than any test lasts. */
const RETRY_AFTER = 240;

/**
 * A model over HTTP that has no time: it refuses every request until `isBusy` is false, and then answers. It speaks the
 * protocol of chat completions, so the server uses its real provider.
 */
export class BusyModel {
  isBusy = true;
  readonly #server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      if (request.url?.endsWith("/models")) {
        response.end(JSON.stringify({ data: [{ id: "busy" }] }));
      } else if (this.isBusy) {
        response.writeHead(429, { "content-type": "application/json", "retry-after": String(RETRY_AFTER) });
        response.end(JSON.stringify({ error: { message: "Too many requests", type: "rate_limit_error" } }));
      } else {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const [delta, reason] of [
          [{ role: "assistant", content: "Now I have time." }, null],
          [{}, "stop"],
        ] as const)
          response.write(`data: ${JSON.stringify(chunk(delta, reason))}\n\n`);
        response.end("data: [DONE]\n\n");
      }
    });
  });

  static async open(): Promise<BusyModel> {
    const model = new BusyModel();
    await new Promise<void>((resolve) => model.#server.listen(0, "127.0.0.1", resolve));
    return model;
  }

  /** The surroundings of a server that knows this model, and uses the scripted one. */
  get environment(): NodeJS.ProcessEnv {
    const { port } = this.#server.address() as AddressInfo;
    return {
      RETAKE_MODEL: "scripted/default",
      RETAKE_BASE_URL: `http://127.0.0.1:${port}/v1`,
      RETAKE_API_KEY: "busy",
    };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function chunk(delta: object, finish_reason: string | null) {
  const choices = [{ index: 0, delta, finish_reason }];
  return { id: "busy", object: "chat.completion.chunk", created: 0, model: "busy", choices };
}
