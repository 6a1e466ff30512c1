import { isDeepStrictEqual } from "node:util";
import type { McpServerConfig } from "../config/server-config.ts";
import type { Tool } from "../tools/tool.ts";
import type { ConnectedServer } from "./connect-server.ts";
import type { SlowFailures } from "./slow-failures.ts";

export interface McpServers {
  /** The tools of all servers, always in the same order, so that requests to the model stay the same. */
  readonly tools: readonly Tool[];
  /** Servers that could not be reached, and whose tools are missing. */
  readonly problems: readonly { readonly server: string; readonly message: string }[];
  close(): Promise<void>;
}

/**
 * Connects to all configured MCP servers at once. A server that fails or is slow only loses its own tools. The
 * protocol's library is loaded only when a server is configured. Servers in `connections` are used again while they are
 * open and configured in the same way; the others are closed, and the new ones added. With `failures`, a server that was slow
 * to fail is left out for a while, without a word: the first failure said so.
 */
export async function openMcpServers(
  servers: Readonly<Record<string, McpServerConfig>>,
  place: { readonly root: string; readonly environment: Readonly<Record<string, string>> },
  connections: Map<string, ConnectedServer> = new Map(),
  failures?: SlowFailures,
): Promise<McpServers> {
  for (const [name, server] of connections) {
    if (server.isOpen() && isDeepStrictEqual(server.config, servers[name])) continue;
    connections.delete(name);
    await server.close().catch(() => {});
  }
  const close = async () => void (await Promise.allSettled([...connections.values()].map((server) => server.close())));
  const isTried = ([name, config]: [string, McpServerConfig]) =>
    connections.has(name) || !failures?.waits(name, config);
  const names = Object.entries(servers)
    .filter(isTried)
    .map(([name]) => name)
    .sort();
  if (names.length === 0) return { tools: [], problems: [], close };
  const { connectServer } = await import("./connect-server.ts");
  const connect = async (name: string, config: McpServerConfig) => {
    const known = connections.get(name);
    if (known) return known;
    const began = performance.now();
    try {
      const server = await connectServer(name, config, place);
      connections.set(name, server);
      failures?.forget(name, config);
      return server;
    } catch (error) {
      const minutes = failures?.note(name, config, performance.now() - began) ?? 0;
      if (minutes > 0) (error as Error).message += ` It is not tried for ${minutes} minutes; retake mcp tries it now.`;
      throw error;
    }
  };
  const results = await Promise.allSettled(names.map((name) => connect(name, servers[name] as McpServerConfig)));
  const connected: ConnectedServer[] = [];
  const problems: { server: string; message: string }[] = [];
  for (const [index, result] of results.entries()) {
    if (result.status === "fulfilled") connected.push(result.value);
    else problems.push({ server: names[index] ?? "", message: (result.reason as Error).message });
  }
  return {
    tools: withoutDoubles(connected.flatMap(({ tools }) => tools)),
    problems,
    close,
  };
}

/** Shortened to what providers accept, two names may be equal: the first keeps it. */
function withoutDoubles(tools: readonly Tool[]): Tool[] {
  const taken = new Set<string>();
  return tools.filter(({ name }) => !taken.has(name) && taken.add(name));
}
