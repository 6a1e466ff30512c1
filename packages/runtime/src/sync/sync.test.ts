import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Identity } from "../store/identity.ts";
import { newDeviceKeys } from "./device-keys.ts";
import { LoginFile } from "./login-file.ts";
import { Sync } from "./sync.ts";

test("[L6] a clock that was ten years ahead when the server was away does not keep the worker waiting", async () => {
  const folder = mkdtempSync(join(tmpdir(), "retake-sync-worker-"));
  const directories = { config: join(folder, "config"), data: join(folder, "data"), state: join(folder, "state") };
  for (const each of Object.values(directories)) mkdirSync(each);
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.statusCode = 502;
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const joined = { vault: "v", device: "d", key: "00".repeat(32) };
  new LoginFile(directories.config).write({ url, name: "one", keys: newDeviceKeys(), joined });
  let ahead = 10 * 365 * 86_400_000;
  const identity = new Identity(() => Date.now() + ahead);
  const sync = new Sync({ directories, identity, device: "one", onStep: () => undefined, onPass: () => undefined });
  try {
    sync.start();
    await expect.poll(() => sync.status().problem?.code).toBe("no-answer");
    ahead = 0;
    const before = requests;
    await expect.poll(() => requests).toBeGreaterThan(before);
  } finally {
    await sync.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  }
});
