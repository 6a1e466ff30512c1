import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { generate } from "openapi-typescript-codegen";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestServer } from "./testing/test-server.ts";

// biome-ignore lint/suspicious/noExplicitAny: what is generated has no types before it is
type Answer = any;
/** The output of the generator: a method for each operation, which takes one object. */
type Operations = Record<string, (options: Record<string, unknown>) => Promise<Answer>>;

let server: TestServer;
const output = mkdtempSync(join(tmpdir(), "retake-generated-"));
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => {
  await server.close();
  rmSync(output, { recursive: true, force: true });
});

async function described(): Promise<Record<string, object>> {
  return (await (await server.fetch("/v1/openapi.json")).json()) as Record<string, object>;
}

/** A client that knows nothing of Retake but its description. */
async function generated(): Promise<Operations> {
  await generate({ input: await described(), output, useOptions: true, useUnionTypes: true, clientName: "Generated" });
  const { Generated } = (await import(join(output, "index.ts"))) as {
    Generated: new (options: object) => { default: Operations };
  };
  return new Generated({ BASE: server.url, TOKEN: server.token }).default;
}

/** Reads server-sent events from the present on, as anybody would; `begun` resolves when they come. */
function follow(path: string) {
  const ending = new AbortController();
  const events: Answer[] = [];
  let told = () => {};
  const response = server.fetch(path, { signal: ending.signal });
  const reading = response.then(async ({ body }) => {
    let text = "";
    for await (const chunk of body ?? []) {
      text += Buffer.from(chunk).toString("utf8");
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const data = block.split("\n").find((line) => line.startsWith("data: "));
        if (data) events.push(JSON.parse(data.slice("data: ".length)));
      }
      told();
    }
  });
  reading.catch(() => {});
  return {
    begun: response,
    async until(found: (event: Answer) => boolean): Promise<Answer[]> {
      while (!events.some(found))
        await new Promise<void>((resolve) => {
          told = resolve;
        });
      ending.abort();
      return events;
    },
  };
}

describe("the description of the API", () => {
  test("is valid OpenAPI", async () => {
    const { valid, errors } = await new Validator().validate(await described());
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  test("[S5] [P2] [P8] is enough for a generated client to run a turn, follow it and undo it", async () => {
    const client = await generated();
    const call = (name: string, options: Record<string, unknown> = {}) => client[name]?.call(client, options);
    expect(await call("health")).toMatchObject({ status: "ok" });
    const { thread } = await call("createThread", { requestBody: { title: "Generated" } });
    const id = thread.id as string;
    const events = follow(`/v1/events?thread=${id}`);
    await events.begun;
    const { turn_id } = await call("startTurn", {
      id,
      requestBody: { prompt: "write a.txt: hello", approve: "all" as const },
      idempotencyKey: "once",
    });
    const committed = (kind: string) => (event: Answer) => event.operation?.kind === kind;
    const seen = await events.until(committed("turn-finished"));
    expect(seen.find(committed("turn-finished")).operation.turn_id).toBe(turn_id);
    expect(server.read("a.txt")).toBe("hello");
    const { version } = await call("getThread", { id });
    await expect(call("undo", { id, requestBody: {}, ifMatch: "1" })).rejects.toMatchObject({
      status: 409,
      body: { error: { code: "stale-version" } },
    });
    const undone = await call("undo", { id, requestBody: {}, ifMatch: String(version) });
    expect(undone).toMatchObject({ turns_undone: 1, files_reverted: ["a.txt"] });
    expect(server.read("a.txt")).toBeUndefined();
    expect(await call("listEntries", { id })).toMatchObject({ entries: [] });
  });
});
