/**
 * Every route with every attack: the table is walked, so a new route is covered without touching this file. No request
 * without the token may change anything.
 */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LARGEST_BODY } from "./read-body.ts";
import { sampleBody } from "./testing/sample-input.ts";
import { everyRoute, TestServer } from "./testing/test-server.ts";

let server: TestServer;
let thread: string;
beforeAll(async () => {
  server = await TestServer.start();
  thread = await server.thread("write kept.txt: kept");
});
afterAll(() => server.close());

interface Sent {
  readonly headers?: Record<string, string | undefined>;
  readonly body?: string;
  readonly path?: string;
  readonly method?: string;
}

interface Got {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

type Walked = ReturnType<typeof everyRoute>[number][1];

/** A good request of a route, but for what an attack changes in it. Sent byte for byte, as no browser would. */
function send(route: Walked, change: Sent): Promise<Got> {
  const { hostname, port, host } = new URL(server.url);
  const sample = sampleBody(route);
  const body = change.body ?? (sample === undefined ? undefined : JSON.stringify(sample));
  const headers: Record<string, string | undefined> = {
    host,
    authorization: `Bearer ${server.token}`,
    ...(body === undefined
      ? {}
      : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }),
    ...change.headers,
  };
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const asking = request({
      hostname,
      port,
      method: change.method ?? route.method,
      path: change.path ?? pathOf(route),
      headers: given as Record<string, string>,
      setHost: false,
      agent: false,
    });
    asking.on("error", reject);
    asking.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      const done = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      response.on("data", (part: string) => {
        text += part;
        // A stream that was let in does not end by itself.
        if (response.headers["content-type"] === "text/event-stream") {
          done();
          asking.destroy();
        }
      });
      response.on("end", done);
    });
    asking.end(body);
  });
}

function pathOf(route: Walked): string {
  return route.path.replace("{id}", thread).replaceAll(/\{\w+\}/g, "sample");
}

/** The state that no attack may change. */
async function everything(): Promise<unknown> {
  const client = server.client();
  const { threads } = await client.listThreads();
  return {
    threads: await Promise.all(threads.map(async ({ id }) => (await client.getCheckpoint(id)).checkpoint)),
    deleted: await client.listThreads({ deleted: true }),
    sessions: await client.listSessions(),
    kept: server.read("kept.txt"),
  };
}

const guarded = everyRoute().filter(([, { open }]) => !open);
const refusedBy = (token: string | undefined): Sent => ({ headers: { authorization: token } });

const UNKNOWN: Readonly<Record<string, () => Sent>> = {
  "no token": () => refusedBy(undefined),
  "an empty token": () => refusedBy("Bearer "),
  "a wrong token": () => refusedBy(`Bearer ${"A".repeat(43)}`),
  "a truncated token": () => refusedBy(`Bearer ${server.token.slice(0, -1)}`),
  "a longer token": () => refusedBy(`Bearer ${server.token}A`),
  "the token as another scheme": () => refusedBy(`Basic ${server.token}`),
  "the token as a cookie": () => ({ headers: { authorization: undefined, cookie: `token=${server.token}` } }),
  "a cookie of nobody": () => ({
    headers: { authorization: undefined, cookie: `retake_${new URL(server.url).port}=${"A".repeat(43)}` },
  }),
};

const HOSTILE: Readonly<Record<string, () => Sent>> = {
  "another Host": () => ({ headers: { host: "evil.example" } }),
  "a Host that was rebound": () => ({ headers: { host: `evil.example:${new URL(server.url).port}` } }),
  "another port in Host": () => ({ headers: { host: "127.0.0.1:1" } }),
  "no port in Host": () => ({ headers: { host: "127.0.0.1" } }),
  "another Origin": () => ({ headers: { origin: "https://evil.example" } }),
  "an Origin of another port": () => ({ headers: { origin: "http://127.0.0.1:1" } }),
  "an opaque Origin": () => ({ headers: { origin: "null" } }),
  "a request across sites": () => ({ headers: { "sec-fetch-site": "cross-site" } }),
  "a request of the same site": () => ({ headers: { "sec-fetch-site": "same-site" } }),
};

describe("[P5] who is not let in changes nothing", () => {
  test.each(guarded)("%s", async (_, route) => {
    const before = await everything();
    for (const [name, attack] of Object.entries(UNKNOWN)) {
      const got = await send(route, attack());
      expect([name, got.status]).toEqual([name, 401]);
      expect(JSON.parse(got.text)).toMatchObject({ error: { code: "unauthorized" } });
    }
    for (const where of [`?token=${server.token}`, `?access_token=${server.token}`, `#${server.token}`]) {
      const got = await send(route, { ...refusedBy(undefined), path: pathOf(route) + where });
      expect([400, 401]).toContain(got.status);
    }
    for (const [name, attack] of Object.entries(HOSTILE)) {
      const got = await send(route, attack());
      expect([name, got.status]).toEqual([name, 403]);
      expect(got.headers["access-control-allow-origin"]).toBeUndefined();
    }
    const preflight = await send(route, {
      method: "OPTIONS",
      headers: {
        ...refusedBy(undefined).headers,
        origin: "https://evil.example",
        "access-control-request-method": "POST",
      },
    });
    expect(preflight.status).toBe(403);
    for (const name of Object.keys(preflight.headers)) expect(name).not.toMatch(/^access-control-/);
    expect(await everything()).toEqual(before);
  });

  test.each(everyRoute().filter(([, { open }]) => open))(
    "%s is open, and says nothing of what is inside",
    async (_, route) => {
      const got = await send(route, refusedBy(undefined));
      expect(got.status).toBe(200);
      expect(got.text).not.toContain(server.root);
      for (const attack of Object.values(HOSTILE)) expect((await send(route, attack())).status).toBe(403);
    },
  );

  test("a token that was exchanged is void at once, and without the file nobody is let in", async () => {
    const file = join(server.state, "token");
    const old = server.token;
    const route = guarded[0]?.[1] as Walked;
    const fresh = "b".repeat(43);
    writeFileSync(file, fresh);
    expect((await send(route, refusedBy(`Bearer ${old}`))).status).toBe(401);
    expect((await send(route, refusedBy(`Bearer ${fresh}`))).status).toBe(200);
    writeFileSync(file, "");
    for (const token of ["", fresh, old]) expect((await send(route, refusedBy(`Bearer ${token}`))).status).toBe(401);
    writeFileSync(file, old);
    expect((await send(route, refusedBy(`Bearer ${old}`))).status).toBe(200);
  });

  test("what no route is at is denied like any other", async () => {
    for (const path of ["/", "/v1", "/v1/threads/", "/v1/nothing", "/v1/health/", "/.git/config", "//v1/threads"]) {
      const [, health] = everyRoute()[0] as [string, Walked];
      const got = await send(health, { ...refusedBy(undefined), path });
      expect([path, got.status]).toEqual([path, 401]);
    }
  });
});

describe("[P5] who is let in can send nothing that breaks it", () => {
  const withBody = everyRoute().filter(([, { body }]) => body);

  test.each(withBody)("%s takes JSON that can be kept, and nothing else", async (_, route) => {
    const before = await everything();
    const sample = JSON.stringify(sampleBody(route));
    const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp", ""];
    for (const type of types)
      expect((await send(route, { body: sample, headers: { "content-type": type } })).status).toBe(415);
    expect((await send(route, { body: sample, headers: { "content-encoding": "gzip" } })).status).toBe(415);
    const malformed = ["{", '{"a":', "{'a':1}", "\ufeff{}x", `${sample} ${sample}`, "NaN", '{"a":"\\ud800"}'];
    for (const body of malformed) expect([400, 422]).toContain((await send(route, { body })).status);
    const polluted = [
      '{"__proto__":{"polluted":true}}',
      '{"constructor":{"prototype":{"polluted":true}}}',
      '{"a":[{"__proto__":1}]}',
    ];
    for (const body of polluted) expect((await send(route, { body })).status).toBe(400);
    const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
    expect((await send(route, { body: deep })).status).toBe(400);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    const large = await send(route, { body: "{}", headers: { "content-length": String(LARGEST_BODY + 1) } }).catch(
      () => ({ status: 413 }),
    );
    expect(large.status).toBe(413);
    expect(await everything()).toEqual(before);
  });

  test.each(everyRoute().filter(([, { path }]) => path.includes("{")))(
    "%s finds nothing behind names that are no ids",
    async (_, route) => {
      const before = await everything();
      const names = [
        "..",
        "%2e%2e",
        "..%2f..%2fetc%2fpasswd",
        "a%00b",
        "%00",
        "%0a",
        "a%2fb",
        "%ff",
        "%",
        "'--",
        "a".repeat(300),
      ];
      for (const name of names) {
        const path = route.path.replaceAll(/\{\w+\}/g, name);
        const got = await send(route, { path });
        expect([name, got.status < 500 && got.status !== 200]).toEqual([name, true]);
        expect(got.text).not.toContain("root:");
      }
      expect(await everything()).toEqual(before);
    },
  );

  test("a body without end is cut off where it is too large", async () => {
    const { hostname, port, host } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.on("close", resolve));
    const answered = new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (part) => {
        text += part;
        if (text.includes("\r\n\r\n")) resolve(text);
      });
      socket.on("close", () => resolve(text));
    });
    socket.write(
      `POST /v1/threads HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const part = Buffer.alloc(1024 * 1024, " ");
    const chunk = Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")]);
    for (let sent = 0; sent < LARGEST_BODY + 4 * part.length && !socket.destroyed; sent += part.length) {
      if (!socket.write(chunk)) await Promise.race([once(socket, "drain").catch(() => undefined), closed]);
    }
    // Data in flight can destroy the answer when the connection ends.
    expect(await answered).toMatch(/^(?:HTTP\/1\.1 413 |$)/);
    socket.destroy();
  });

  test("lengths that contradict each other, and headers without end, are refused by the parser", async () => {
    const { hostname, port, host } = new URL(server.url);
    const raw = (text: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(port), hostname, () => socket.write(text));
        let got = "";
        socket.on("data", (part) => {
          got += part;
        });
        socket.on("error", () => resolve(got));
        socket.on("close", () => resolve(got));
      });
    const head = `POST /v1/threads HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\n`;
    const smuggled = "GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n";
    const tries = [
      `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `${head}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${smuggled}`,
      `${head}Content-Length: -1\r\n\r\n{}`,
      `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
      `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
      `${head}X-Long: ${"a".repeat(20_000)}\r\n\r\n`,
      `GET /v1/health HTTP/1.1\r\n\r\n`,
      `GET /v1/health HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\n\r\n`,
    ];
    // At once, because some of the connections stay open until they have been idle for too long.
    for (const got of await Promise.all(tries.map(raw))) {
      expect(got).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(got.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    }
  });

  test("more readers than there is room for are turned away, and room is made when some go", async () => {
    const headers = { authorization: `Bearer ${server.token}` };
    const readers: AbortController[] = [];
    // Kept, because a response without a reference is closed.
    const responses: Response[] = [];
    for (let count = 0; count < 520; count += 1) {
      const controller = new AbortController();
      readers.push(controller);
      responses.push(await fetch(`${server.url}/v1/events`, { headers, signal: controller.signal }));
    }
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(500);
    expect(responses.filter(({ status }) => status === 503)).toHaveLength(20);
    expect((await server.client().health()).status).toBe("ok");
    for (const controller of readers) controller.abort();
    await expect
      .poll(async () => {
        const controller = new AbortController();
        const { status } = await fetch(`${server.url}/v1/events`, { headers, signal: controller.signal });
        controller.abort();
        return status;
      })
      .toBe(200);
  });
});

describe("signing in", () => {
  const asBrowser = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(server.url + path, { headers, method, redirect: "manual" });

  test("a link is good once; its cookie reads, and changes only from our own page", async () => {
    const { path } = await server.client().createLogin();
    expect(path).not.toContain(server.token);
    expect((await asBrowser(path, { "sec-purpose": "prefetch" })).headers.get("set-cookie")).toBeNull();
    const link = (await server.client().createLogin()).path;
    const [, health] = everyRoute()[0] as [string, Walked];
    const from = { authorization: undefined, "sec-fetch-site": "cross-site" };
    const signed = await send(health, { path: link, headers: { ...from, "sec-fetch-mode": "navigate" } });
    expect(signed.status).toBe(200);
    expect(String(signed.headers["set-cookie"])).toMatch(/; HttpOnly; SameSite=Strict/);
    expect(signed.headers["content-security-policy"]).toMatch(/default-src 'none'/);
    expect((await asBrowser(link)).status).toBe(401);
    const cookie = String(signed.headers["set-cookie"]).split(";")[0] as string;
    expect((await asBrowser("/v1/threads", { cookie })).status).toBe(200);
    expect(await (await asBrowser("/", { cookie })).text()).toContain("Retake is running");
    const post = (headers: Record<string, string>) =>
      fetch(`${server.url}/v1/login`, {
        method: "POST",
        headers: { cookie, "content-type": "application/json", ...headers },
        body: "{}",
      });
    expect((await post({})).status).toBe(403);
    expect((await post({ origin: "https://evil.example" })).status).toBe(403);
    expect((await post({ "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await post({ origin: server.url })).status).toBe(200);
    expect((await post({ "sec-fetch-site": "same-origin" })).status).toBe(200);
    const page = await asBrowser("/", { accept: "text/html" });
    expect([page.status, await page.text()]).toEqual([401, expect.stringContaining("retake web")]);
  });

  test("[S9] a cookie is good at the next server of the same home, until it ends or the token is another", async () => {
    const { path } = await server.client().createLogin();
    const cookie = String((await asBrowser(path)).headers.get("set-cookie")).split(";")[0] as string;
    await server.restart();
    const moved = cookie.replace(/^retake_\d+/, `retake_${new URL(server.url).port}`);
    const [name, end = "", random = "", signature = ""] = moved.split(/[=.]/);
    const status = async (sent: string) => (await asBrowser("/v1/threads", { cookie: sent })).status;
    expect(await status(moved)).toBe(200);
    const later = (Number.parseInt(end, 36) + 60_000).toString(36);
    const other = (text: string) => (text.startsWith("A") ? "B" : "A") + text.slice(1);
    for (const forged of [
      `${name}=${later}.${random}.${signature}`,
      `${name}=${end}.${other(random)}.${signature}`,
      `${name}=${end}.${random}.${other(signature)}`,
      `${name}=${end}.${random}.`,
      `${name}=${signature}`,
    ])
      expect([forged, await status(forged)]).toEqual([forged, 401]);
    writeFileSync(join(server.state, "token"), "n".repeat(43), { mode: 0o600 });
    expect(await status(moved)).toBe(401);
  });
});

test("the access log names every request, and no secret", async () => {
  const { path } = await server.client().createLogin();
  const code = path.split("=")[1] as string;
  await fetch(server.url + path);
  await server.stop();
  const log = server.read("../home/state/access.log") ?? "";
  expect(log).toContain('"path":"/v1/login"');
  expect(log).toContain('"path":"/login"');
  for (const secret of [server.token, code]) expect(log).not.toContain(secret);
  await server.restart();
});
