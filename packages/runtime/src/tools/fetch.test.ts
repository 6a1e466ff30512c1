import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { decideApproval } from "@retake/core";
import { afterEach, describe, expect, test } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { fetchPage } from "./fetch.ts";
import { pageText } from "./page-text.ts";
import { isPrivateAddress } from "./private-address.ts";
import { temporaryPlaces } from "./testing/temporary-place.ts";

const makePlace = temporaryPlaces();
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("fetch", () => {
  test("answers the text of a page, and what the page is when it is no text", async () => {
    const url = await serve((request, response) => {
      if (request.url === "/image") return response.setHeader("content-type", "image/png").end("x");
      if (request.url === "/gone") return response.writeHead(404, { "content-type": "text/plain" }).end("no such page");
      response.setHeader("content-type", "text/html; charset=utf-8");
      return response.end("<title>T</title><script>evil()</script><h1>Hello &amp; welcome</h1><p>One<p>Two");
    });
    const place = makePlace();
    expect(await place.call(fetchPage, { url })).toMatchObject({
      outcome: "completed",
      content: "T\nHello & welcome\n\nOne\nTwo",
      details: { status: 200 },
    });
    expect(await place.call(fetchPage, { url: `${url}/image` })).toMatchObject({
      outcome: "failed",
      content: `${url}/image is image/png, not text, and was not read.`,
    });
    expect((await place.call(fetchPage, { url: `${url}/gone` })).content).toBe("Status 404.\nno such page");
  });

  test("[X8] [X13] is asked about with its whole address; one of the own network is named as that", async () => {
    const place = makePlace();
    const policy = { mode: "undoable", rules: [], questions: true } as const;
    for (const [url, what] of [
      ["https://example.org/a?b=c", "a request to example.org on the internet: https://example.org/a?b=c"],
      ["http://localhost:8080/x", "localhost:8080, which is this machine or its own network"],
      ["http://169.254.169.254/latest", "169.254.169.254, which is this machine or its own network"],
      ["http://[::1]/", "[::1], which is this machine or its own network"],
      ["http://2130706433/", "127.0.0.1, which is this machine or its own network"],
    ] as const) {
      const facts = await fetchPage.examine({ url }, place);
      expect(facts.irreversible[0]).toContain(what);
      expect(decideApproval({ name: "fetch" }, facts, policy)).toMatchObject({ decision: "ask" });
    }
  });

  test("follows a redirect on the same host, and tells of one to another host", async () => {
    const url = await serve((request, response) => {
      if (request.url === "/a") return response.writeHead(302, { location: "/b" }).end();
      if (request.url === "/c") return response.writeHead(302, { location: "http://localhost:1/secret" }).end();
      if (request.url === "/loop") return response.writeHead(302, { location: "/loop" }).end();
      return response.setHeader("content-type", "text/plain").end("there");
    });
    const place = makePlace();
    expect((await place.call(fetchPage, { url: `${url}/a` })).content).toBe("there");
    expect((await place.call(fetchPage, { url: `${url}/c` })).content).toBe(
      `${url}/c redirects to http://localhost:1/secret. That was not followed: fetch it by itself if it is meant.`,
    );
    expect((await place.call(fetchPage, { url: `${url}/loop` })).content).toBe(`${url}/loop redirects too often.`);
  });

  test("stops reading a page that does not end, and ends when it is interrupted", async () => {
    const url = await serve((request, response) => {
      response.setHeader("content-type", "text/plain");
      if (request.url === "/wait") return response.write("begin");
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.on("drain", more);
      return more();
    });
    const place = makePlace();
    const end = await place.call(fetchPage, { url });
    expect(end.content).toContain("(Cut here: it is larger than 5 MB.)");
    const stop = new AbortController();
    const waiting = place.call(fetchPage, { url: `${url}/wait` }, { signal: stop.signal, report: () => stop.abort() });
    expect(await waiting).toMatchObject({ outcome: "interrupted" });
  });

  test.each([
    ["ftp://example.org/", "url must be an http or https address."],
    ["file:///etc/passwd", "url must be an http or https address."],
    ["https://me:secret@example.org/", "url must not hold a name or a password."],
    ["example.org", "url must be a whole address, like https://example.org/page."],
  ])("refuses %s", (url, problem) => {
    expect(fetchPage.check({ url })).toBe(problem);
  });
});

test.each([
  ["8.8.8.8", false],
  ["2606:4700::1111", false],
  ["10.1.2.3", true],
  ["172.31.0.1", true],
  ["172.32.0.1", false],
  ["192.168.0.1", true],
  ["169.254.169.254", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["::ffff:8.8.8.8", false],
  ["fd00::1", true],
  ["fe80::1", true],
  ["not an address", true],
])("%s is private: %s", (address, expected) => {
  expect(isPrivateAddress(address)).toBe(expected);
});

test("the text of a page survives markup that never ends", () => {
  expect(pageText("a<script>while(1)")).toBe("a");
  expect(pageText("a<!-- b")).toBe("a");
  expect(pageText("&#x41;&#0;&unknown;&#1114112; <b>b</b>")).toBe("A&#0;&unknown;&#1114112; b");
});

test("the text of a page is that of a plain search for every tag", () => {
  const pieces = ["<", ">", "p", " ", "/", "x", "<p", "</p>", "<b", "<title", "</title", "<head>", "</head>", "<pre>"];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 25 }), (all) => {
      const html = all.join("");
      expect(pageText(html)).toBe(plainPageText(html));
    }),
  );
});

test.each(["<", "<p", "<title", "<head><title>", "<title>", "</title", "<!--", "<script>"])(
  "reads a page of %s alone without a search from each of them to the end",
  (piece) => {
    const page = piece.repeat(1_000_000);
    for (const html of [page, `<head>${page}`]) expect(pageText(html).length).toBeLessThanOrEqual(html.length);
  },
);

function plainPageText(html: string): string {
  return html
    .replaceAll(/<head\b[\s\S]*?(?:<\/head\s*>|$)/gi, (head) => {
      const title = /<title\b[^>]*>([\s\S]*?)<\/title/i.exec(head)?.[1];
      return title === undefined ? "" : `${title}\n\n`;
    })
    .replaceAll(/<\/?(?:p|pre)\b[^>]*>/gi, "\n")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/ +/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
