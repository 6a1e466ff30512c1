import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { directories } from "@retake/runtime";
import type { ServerFile } from "@retake/server/running";
import { visible } from "@retake/tui/text";
import manifest from "../package.json" with { type: "json" };
import { type Call, CommandError, EXIT, type Options, wrongUsage } from "./command.ts";
import { endInTime } from "./end-in-time.ts";
import { pathIn, type World } from "./world.ts";

export const SERVE_OPTIONS = {
  port: { type: "string", value: "N", about: "the port; otherwise a free one" },
  host: { type: "string", value: "address", about: "another address than loopback; needs --tls-cert and --tls-key" },
  "tls-cert": { type: "string", value: "file", about: "the certificate, in PEM" },
  "tls-key": { type: "string", value: "file", about: "its key, in PEM" },
} as const satisfies Options;

type Say = (at: ServerFile, found: boolean, link: string) => void;

/** Serves the store until a signal ends it, or says where the server is that does so already. */
export async function serveUntilEnded(call: Call, say: Say): Promise<void> {
  const { startServer } = await import("@retake/server");
  const { world } = call;
  const { environment, now } = world;
  const where = directories(environment);
  const { host } = call.options;
  const started = await startServer({
    directories: where,
    root: call.workspace.root,
    version: manifest.version,
    environment,
    now,
    port: portOf(call),
    ...(typeof host === "string" ? { address: host } : {}),
    ...tlsOf(call),
    ...pagesOf(),
    onFailure: (id, error) =>
      world.errors.write(visible(`${id} ${error instanceof Error ? error.stack : String(error)}\n`)),
  });
  if (started.kind === "refused") throw new CommandError(EXIT.usage, "refused", started.message);
  if (started.kind === "found") return say(started.at, true, await linkFrom(started.at, where.state));
  const { server } = started;
  const ended = untilSignal(world);
  if (server.renewedToken !== undefined)
    world.errors.write(
      `The token was made anew, because ${server.renewedToken}. Programs that use the old one are refused.\n`,
    );
  say(server.at, false, `${server.at.url}/login?code=${server.logins.createCode().code}`);
  await ended;
  await endInTime(world, () => server.close());
}

/** Ends when the process is told to end. */
export function untilSignal(world: World): Promise<void> {
  return new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) world.onSignal(signal, resolve);
  });
}

/** Asks the server that runs for a link; the token goes over the socket, which only this user can open. */
async function linkFrom(at: ServerFile, state: string): Promise<string> {
  const { createClient } = await import("@retake/client");
  const { readToken, socketFetch } = await import("@retake/server/running");
  const client = createClient({
    url: "http://localhost",
    token: readToken(join(state, "token")),
    fetch: socketFetch(at.socket),
  });
  return at.url + (await client.createLogin()).path;
}

export function portOf({ options }: Call): number {
  const { port } = options;
  if (port === undefined) return 0;
  if (!/^\d{1,5}$/.test(String(port)) || Number(port) > 65_535) throw wrongUsage(`'${String(port)}' is not a port.`);
  return Number(port);
}

/** The files of the web UI lie beside the built program; sources that run unbuilt have none. */
export function pagesOf(): { pages?: string } {
  const pages = join(import.meta.dirname, "web");
  return existsSync(pages) ? { pages } : {};
}

export function tlsOf({ options, world }: Call): { tls?: { cert: string; key: string } } {
  const { "tls-cert": cert, "tls-key": key } = options;
  if (cert === undefined && key === undefined) return {};
  if (typeof cert !== "string" || typeof key !== "string") throw wrongUsage("--tls-cert and --tls-key go together.");
  const read = (file: string) => readFileSync(pathIn(world, file), "utf8");
  return { tls: { cert: read(cert), key: read(key) } };
}
