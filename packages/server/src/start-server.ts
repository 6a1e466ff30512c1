/**
 * A running server: the runtime, and listeners on loopback and on a socket file, which both lead to
 * the one app. `state/server.json` says where it is for as long as it runs.
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { createServer as createHttps } from "node:https";
import { isIP } from "node:net";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { aliasesIn, Runtime, type RuntimeOptions, resolveRoot } from "@retake/runtime";
import { AccessLog } from "./access/access-log.ts";
import { Logins } from "./access/logins.ts";
import { readToken, TokenFile } from "./access/token-file.ts";
import { type App, createApp } from "./create-app.ts";
import { isLoopback } from "./is-loopback.ts";
import { PageFiles } from "./page-files.ts";
import { claimServer, type ServerFile } from "./server-file.ts";
import { surroundingsOf } from "./surroundings.ts";

export interface ServerOptions
  extends Required<Pick<RuntimeOptions, "directories" | "version" | "environment" | "now">> {
  /** The directory that is meant where none is named. */
  readonly root: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Another than loopback needs `tls`. */
  readonly address?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly onFailure?: (id: string, error: unknown) => void;
  /** The directory with the files of the web UI. */
  readonly pages?: string;
}

export type Started =
  | { readonly kind: "started"; readonly server: RunningServer }
  /** Another server serves this store. */
  | { readonly kind: "found"; readonly at: ServerFile }
  | { readonly kind: "refused"; readonly message: string };

export interface RunningServer {
  readonly at: ServerFile;
  readonly logins: Logins;
  /** Why the token was made anew, where one was there. */
  readonly renewedToken: string | undefined;
  /** Ends turns cleanly, then everything else. */
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions): Promise<Started> {
  const { directories, address = "127.0.0.1", tls } = options;
  if (!isLoopback(address) && !tls)
    return {
      kind: "refused",
      message: `${address} can be reached from other machines, so it needs TLS: --tls-cert and --tls-key. Nothing was started.`,
    };
  const claim = await claimServer(directories.state);
  if (claim.kind === "found") return claim;
  try {
    return { kind: "started", server: await listen(options, address, claim.publish, claim.release) };
  } catch (error) {
    claim.release();
    throw error;
  }
}

async function listen(
  options: ServerOptions,
  address: string,
  publish: (at: ServerFile) => void,
  release: () => void,
): Promise<RunningServer> {
  const { directories, root, version, environment, now, tls } = options;
  const scheme = tls ? "https" : "http";
  const runtime = new Runtime({ directories, version, environment, now, stays: true });
  await runtime.finishKilled();
  runtime.sync.start();
  const log = new AccessLog(join(directories.state, "access.log"), now);
  const closing = new AbortController();
  const tokenFile = join(directories.state, "token");
  const token = new TokenFile(tokenFile);
  const logins = new Logins(now, (text) => token.sign(text));
  let port = 0;
  const shared = { runtime, root, log, token, logins, scheme, closing: closing.signal } as const;
  let isOver = false;
  const onFailure = (id: string, error: unknown) => {
    // Work whose client has gone meets the closed store: that is no failure.
    if (!isOver) options.onFailure?.(id, error);
  };
  const cookie = () => `retake_${port}`;
  let names: ReadonlySet<string> = new Set();
  const pages = options.pages === undefined ? undefined : new PageFiles(options.pages);
  const tcp = serve(createApp({ ...shared, hosts: () => names, cookie, onFailure, pages }), tls);
  const local = serve(createApp({ ...shared, hosts: () => SOCKET_HOSTS, cookie, onFailure }), undefined);
  const socket = join(directories.state, "server.sock");
  rmSync(socket, { force: true });
  const lastPort = join(directories.state, "port");
  await listeningAt(tcp, address, options.port, lastPort);
  port = (tcp.address() as { port: number }).port;
  writeFileSync(lastPort, `${port}\n`, { mode: 0o600 });
  names = hostNames(address, port);
  await listening(local, { path: socket });
  chmodSync(socket, 0o600);
  const at: ServerFile = {
    url: `${scheme}://${isIP(address) === 6 ? `[${address}]` : address}:${port}`,
    socket,
    pid: process.pid,
    started_at: new Date(now()).toISOString(),
    workspace_root: resolveRoot(root, aliasesIn(directories)),
    version,
    surroundings: surroundingsOf(environment, readToken(tokenFile)),
  };
  publish(at);
  return {
    at,
    logins,
    renewedToken: token.renewed,
    async close() {
      release();
      // Events end at once, so that their readers look for the next server. Turns end cleanly, and earlier requests are
      // answered.
      closing.abort();
      await Promise.all([runtime.turns.close(), closeServer(tcp), closeServer(local)]);
      isOver = true;
      await runtime.close();
      rmSync(socket, { force: true });
      log.flush();
    },
  };
}

/** Slow or endless headers and bodies are cut off, and no more connections are held than a machine's own users need. */
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 2000,
  requireHostHeader: true,
  insecureHTTPParser: false,
} as const;

function serve(app: App, tls: ServerOptions["tls"]): Server {
  const server = createAdaptorServer({
    fetch: app,
    overrideGlobalObjects: false,
    ...(tls ? { createServer: createHttps, serverOptions: { ...LIMITS, ...tls } } : { serverOptions: LIMITS }),
  } as Parameters<typeof createAdaptorServer>[0]) as Server;
  server.maxConnections = 2000;
  server.maxHeadersCount = 100;
  return server;
}

/**
 * Listens at a port; where any will do, at the one of the last time if it is free, so that an open page and a bookmark
 * lead to the next server too.
 */
async function listeningAt(server: Server, host: string, port: number, lastPort: string): Promise<void> {
  const last = port === 0 ? Number(/^\d{1,5}$/m.exec(readIfThere(lastPort))?.[0] ?? 0) : 0;
  if (last > 0 && last < 65_536) {
    const taken = await listening(server, { host, port: last }).then(
      () => false,
      () => true,
    );
    if (!taken) return;
  }
  await listening(server, { host, port });
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function listening(server: Server, where: { host: string; port: number } | { path: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
}

/** Takes no more connections, and ends those that are left as soon as they are answered, or after a while. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const late = setTimeout(() => server.closeAllConnections(), PATIENCE_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

const PATIENCE_MS = 500;

const SOCKET_HOSTS: ReadonlySet<string> = new Set(["localhost"]);

function hostNames(address: string, port: number): ReadonlySet<string> {
  const names = isLoopback(address) ? ["127.0.0.1", "localhost", "[::1]"] : [address.toLowerCase()];
  return new Set(names.map((name) => `${name}:${port}`));
}
