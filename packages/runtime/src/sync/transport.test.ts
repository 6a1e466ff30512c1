import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { refusalBody, refuseSync } from "@retake/core/sync";
import { expect, test } from "vitest";
import { httpTransport } from "./transport.ts";

test("[L6] a call waits while the server has too many requests, and is made again", async () => {
  const refusal = refusalBody(refuseSync("too-many-requests", "Too many requests.", { retry_after_ms: 1 }));
  const name = "0".repeat(64);
  const answers = [refusal, refusal, { missing: [name] }];
  const server = createServer((request, response) => {
    request.resume();
    response.statusCode = answers.length > 1 ? 429 : 200;
    response.end(JSON.stringify(answers.shift()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const call = httpTransport(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    expect(await call("checkBlobs", { vault: "v", names: [name] })).toEqual({
      kind: "answer",
      answer: { missing: [name] },
    });
    expect(answers).toEqual([]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
