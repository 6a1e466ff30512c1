import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { useProxy } from "./use-proxy.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** A proxy that refuses every tunnel, and a server of this machine, both at one address. */
async function start(): Promise<{ address: string; tunnels: string[] }> {
  const tunnels: string[] = [];
  const server: Server = createServer((_, response) => response.end("direct"));
  server.on("connect", ({ url }, socket) => {
    tunnels.push(String(url));
    socket.end("HTTP/1.1 502 No\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tunnels };
}

async function use(environment: Record<string, string>): Promise<string> {
  const said: string[] = [];
  const errors = { write: (text: string) => said.push(text) };
  cleanups.push(await useProxy({ environment, errors } as unknown as Parameters<typeof useProxy>[0]));
  return said.join("");
}

test.each(["HTTPS_PROXY", "https_proxy"])(
  "requests go through the proxy in %s, but not those to this machine",
  async (name) => {
    const { address, tunnels } = await start();
    expect(await use({ [name]: address, NO_PROXY: "direct.invalid" })).toBe("");
    for (const host of ["model.invalid", "direct.invalid"]) await expect(fetch(`https://${host}/`)).rejects.toThrow();
    expect(await (await fetch(address)).text()).toBe("direct");
    expect(await (await fetch(address.replace("127.0.0.1", "localhost"))).text()).toBe("direct");
    expect(tunnels).toEqual(["model.invalid:443"]);
  },
);

test("NO_PROXY=* turns the proxy off", async () => {
  const { address, tunnels } = await start();
  await use({ HTTPS_PROXY: address, NO_PROXY: "*" });
  await expect(fetch("https://model.invalid/")).rejects.toThrow();
  expect(tunnels).toEqual([]);
});

test("an address that is none is said without its value, and no proxy is used", async () => {
  expect(await use({ HTTPS_PROXY: "user:secret@proxy" })).toMatch(/^HTTP_PROXY or HTTPS_PROXY is no address/);
});
