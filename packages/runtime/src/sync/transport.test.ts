import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { refusalBody, refuseSync } from "@retake/core/sync";
import { expect, test } from "vitest";
import { httpTransport } from "./transport.ts";

const NAME = "0".repeat(64);

/** The outcome of a call to a server that treats each request as the next of `listeners`. */
async function asked(...listeners: readonly RequestListener[]) {
  const left = [...listeners];
  const server = createServer((request, response) => {
    request.resume();
    left.shift()?.(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const call = httpTransport(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    return { outcome: await call("checkBlobs", { vault: "v", names: [NAME] }), left: left.length };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const answer: RequestListener = (_, response) => response.end(JSON.stringify({ missing: [NAME] }));
const refuse: RequestListener = (_, response) => {
  response.statusCode = 429;
  const refusal = refuseSync("too-many-requests", "Too many requests.", { retry_after_ms: 1 });
  response.end(JSON.stringify(refusalBody(refusal)));
};
const close: RequestListener = ({ socket }) => socket.destroy();

test.each([
  ["waits while the server has too many requests, and is made again", [refuse, refuse, answer]],
  ["is made again on another connection after one that was closed", [close, answer]],
])("[L6] a call %s", async (_, listeners) => {
  expect(await asked(...listeners)).toEqual({ outcome: { kind: "answer", answer: { missing: [NAME] } }, left: 0 });
});

test("[L6] a call whose connections are closed has no answer", async () => {
  expect(await asked(close, close, answer)).toMatchObject({ outcome: { kind: "no-answer" }, left: 1 });
});
