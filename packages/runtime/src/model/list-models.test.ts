import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { listModels } from "./list-models.ts";
import { openModel } from "./open-model.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that lists models in this shape, or answers with a status. */
async function lists(answer: object | number) {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push({ ...request.headers, url: request.url });
    if (typeof answer === "number") response.writeHead(answer).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}`, seen };
}

const of = async (provider: string, environment: Record<string, string>) =>
  (await listModels({ environment, local: [] })).find((each) => each.provider === provider);

describe("the models that can be used", () => {
  test("[X10] without any key: the embedded model, and what each provider lacks", async () => {
    const list = await listModels({ environment: {}, local: [] });
    expect(list[0]).toMatchObject({ provider: "scripted", status: "ready", models: ["scripted/default"] });
    const anthropic = list.find(({ provider }) => provider === "anthropic");
    expect(anthropic).toMatchObject({ status: "not-configured", models: [] });
    expect(anthropic?.message).toContain("ANTHROPIC_API_KEY");
  });

  test("asks each provider in its own form, with its own key", async () => {
    const openai = await lists({ data: [{ id: "gpt-x" }] });
    const anthropic = await lists({ data: [{ id: "claude-x" }] });
    const google = await lists({ models: [{ name: "models/gemini-x" }] });
    const environment = {
      OPENAI_BASE_URL: openai.url,
      OPENAI_API_KEY: "key-o",
      ANTHROPIC_BASE_URL: anthropic.url,
      ANTHROPIC_API_KEY: "key-a",
      GOOGLE_GENERATIVE_AI_BASE_URL: google.url,
      GOOGLE_GENERATIVE_AI_API_KEY: "key-g",
    };
    const list = await listModels({ environment, local: [] });
    expect(list.filter(({ status }) => status === "ready").flatMap(({ models }) => models)).toEqual(
      expect.arrayContaining(["openai/gpt-x", "anthropic/claude-x", "google/gemini-x"]),
    );
    expect(openai.seen[0]).toMatchObject({ url: "/v1/models", authorization: "Bearer key-o" });
    expect(anthropic.seen[0]).toMatchObject({ url: "/v1/models", "x-api-key": "key-a" });
    expect(google.seen[0]).toMatchObject({ url: "/v1beta/models", "x-goog-api-key": "key-g" });
  });

  test("reports a refused key and a missing server, without the key", async () => {
    const refusing = await lists(401);
    const wrong = await of("openai", { OPENAI_BASE_URL: refusing.url, OPENAI_API_KEY: "canary-key" });
    expect(wrong).toMatchObject({ status: "unreachable", message: "OpenAI: it refuses the key." });
    const gone = await of("openai", { OPENAI_BASE_URL: "http://127.0.0.1:9", OPENAI_API_KEY: "canary-key" });
    expect(gone?.status).toBe("unreachable");
    expect(JSON.stringify([wrong, gone])).not.toContain("canary-key");
  });

  test("finds a server on this machine, and uses it by the name of its model", async () => {
    const ollama = await lists({ data: [{ id: "llama-x" }, { id: "qwen-x" }] });
    const environment = { OLLAMA_HOST: ollama.host };
    const found = await listModels({ environment });
    expect(found.find(({ label }) => label.startsWith("Ollama"))).toMatchObject({
      label: `Ollama at ${ollama.url}/v1`,
      status: "ready",
      models: ["compatible/llama-x", "compatible/qwen-x"],
    });
    expect(await openModel("compatible/qwen-x", { environment })).toMatchObject({ kind: "model" });
    const unknown = await openModel("compatible/other", { environment });
    expect(unknown).toMatchObject({ kind: "refused", code: "unknown-model" });
    expect(unknown.kind === "refused" && unknown.message).toContain("compatible/llama-x");
  });

  test("a server that lists no models does not count", async () => {
    const page = await lists({ hello: "world" });
    const list = await listModels({ environment: {}, local: [{ label: "A page", base_url: page.url }] });
    expect(list.find(({ provider }) => provider === "compatible")).toMatchObject({ status: "not-configured" });
  });
});
