/** A process that answers every request with the same bytes, as fast as `node:http` can. Started by `startBareServer`. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { Client } from "./served-retake.ts";

export async function startBareServer(body: string): Promise<{ client: Client; stop(): void }> {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), { execArgv: [] });
  child.send(body);
  const [url] = (await once(child, "message")) as [string];
  const client = new Client(url, "");
  return {
    client,
    stop() {
      client.agent.destroy();
      child.kill();
    },
  };
}

function serve(text: string): void {
  const body = Buffer.from(text);
  const headers = { "content-type": "application/json", "content-length": body.length };
  const server = createServer((_, response) => response.writeHead(200, headers).end(body));
  server.listen(0, "127.0.0.1", () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.once("message", (text) => serve(String(text)));
