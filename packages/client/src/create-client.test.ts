import { describe, expect, test } from "vitest";
import { type Client, type ClientOptions, createClient } from "./create-client.ts";
import { endpoints } from "./endpoints.ts";
import type { Endpoint } from "./route.ts";
import { type Handler, loopback } from "./testing/loopback.ts";

interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Headers;
  readonly body: unknown;
}

type Transport = (handler: Handler) => Promise<ClientOptions>;

const TRANSPORTS: Readonly<Record<string, Transport>> = {
  "over HTTP": async (handler) => ({ url: await loopback(handler) }),
  "in this process": async (handler) => ({
    url: "http://retake.invalid",
    fetch: async (input, init) => handler(new Request(String(input), init)),
  }),
};

describe.each(Object.entries(TRANSPORTS))("a client %s", (_, transport) => {
  /** A client of a server that answers everything alike, and what the server received. */
  async function clientOf(answer: () => Response, options: Partial<ClientOptions> = {}) {
    const received: Received[] = [];
    const given = await transport(async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const text = await request.text();
      received.push({
        method: request.method,
        path: pathname,
        headers: request.headers,
        query: Object.fromEntries(searchParams),
        body: text === "" ? undefined : JSON.parse(text),
      });
      return answer();
    });
    return { received, client: createClient({ ...given, ...options }) };
  }

  const calls = Object.entries(endpoints as Readonly<Record<string, Endpoint>>).filter(([, each]) => !each.stream);
  test("[P1] sends each call to its route: path first, then body or query", async () => {
    const { received, client } = await clientOf(() => Response.json({ answered: true }));
    for (const [name, { method, path, input }] of calls) {
      const ids = [...path.matchAll(/\{\w+\}/g)].map((_, index) => `id ${index}/ü`);
      const call = client[name as keyof Client] as unknown as (...args: unknown[]) => Promise<unknown>;
      expect(await call(...ids, ...(input ? [{ name: "a b", missing: undefined }] : []))).toEqual({ answered: true });
      let at = 0;
      const expected = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(ids[at++] as string));
      expect(received.pop(), name).toMatchObject({
        method,
        path: expected,
        query: input === "query" ? { name: "a b" } : {},
        body: input === "body" ? { name: "a b" } : undefined,
      });
    }
  });

  test("[P1] sends the token, the expected version and the key of the request only where they are given", async () => {
    const { received, client } = await clientOf(() => Response.json({}), { token: "secret" });
    await client.undo("T-1", { turns: 2 }, { version: 7, idempotencyKey: "once", headers: { "x-more": "yes" } });
    const sent = Object.fromEntries(received[0]?.headers ?? []);
    expect(sent).toMatchObject({
      authorization: "Bearer secret",
      "if-match": "7",
      "idempotency-key": "once",
      "x-more": "yes",
      accept: "application/json",
      "content-type": "application/json",
    });
    const plain = await clientOf(() => Response.json({}));
    await plain.client.getThread("T-1");
    for (const name of ["authorization", "if-match", "idempotency-key", "content-type"])
      expect(plain.received[0]?.headers.get(name), name).toBeNull();
  });

  test("[P1] throws the server's own words for anything but a success", async () => {
    const error = { code: "conflict", message: "a.txt was changed.", details: { files: ["a.txt"] } };
    const { client } = await clientOf(() => Response.json({ error }, { status: 409 }));
    await expect(client.undo("T-1")).rejects.toMatchObject({ name: "ApiError", status: 409, ...error });
    for (const body of ["not JSON", "{}", '{"error":{"code":1}}', ""]) {
      const { client: other } = await clientOf(() => new Response(body, { status: 502 }));
      await expect(other.listThreads()).rejects.toMatchObject({ status: 502, code: "unreadable" });
    }
  });

  test("[P1] sends nothing where a part of the path is missing", async () => {
    const { received, client } = await clientOf(() => Response.json({}));
    await expect(client.getThread("")).rejects.toMatchObject({ status: 0, code: "invalid-input" });
    expect(received).toEqual([]);
  });
});

test("[P1] a call ends when its signal is aborted", async () => {
  const url = await loopback(() => new Promise<Response>(() => {}));
  const stop = new AbortController();
  const call = createClient({ url: `${url}//` }).listThreads({}, { signal: stop.signal });
  stop.abort();
  await expect(call).rejects.toMatchObject({ name: "AbortError" });
});

test("[S6] a redirect is not followed: the token would go elsewhere", async () => {
  let asked = 0;
  const elsewhere = await loopback(() => {
    asked += 1;
    return Response.json({});
  });
  const url = await loopback(() => Response.redirect(`${elsewhere}/v1/health`, 307));
  await expect(createClient({ url, token: "secret" }).health()).rejects.toThrow();
  expect(asked).toBe(0);
});
