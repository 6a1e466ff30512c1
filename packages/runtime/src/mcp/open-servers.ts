import type { McpServerConfig } from "../config/server-config.ts";
import type { Tool } from "../tools/tool.ts";
import type { ConnectedServer } from "./connect-server.ts";

export interface McpServers {
  /** The tools of all servers, always in the same order, so that requests to the model stay the same. */
  readonly tools: readonly Tool[];
  /** Servers that could not be reached, and whose tools are missing. */
  readonly problems: readonly { readonly server: string; readonly message: string }[];
  close(): Promise<void>;
}

/**
 * Connects to all configured MCP servers at once. A server that fails or is slow only loses its own tools. The
 * protocol's library is loaded only when a server is configured.
 */
export async function openMcpServers(
  servers: Readonly<Record<string, McpServerConfig>>,
  place: { readonly root: string; readonly environment: Readonly<Record<string, string>> },
): Promise<McpServers> {
  const names = Object.keys(servers).sort();
  if (names.length === 0) return { tools: [], problems: [], close: async () => {} };
  const { connectServer } = await import("./connect-server.ts");
  const results = await Promise.allSettled(
    names.map((name) => connectServer(name, servers[name] as McpServerConfig, place)),
  );
  const connected: ConnectedServer[] = [];
  const problems: { server: string; message: string }[] = [];
  for (const [index, result] of results.entries()) {
    if (result.status === "fulfilled") connected.push(result.value);
    else problems.push({ server: names[index] ?? "", message: (result.reason as Error).message });
  }
  return {
    tools: withoutDoubles(connected.flatMap(({ tools }) => tools)),
    problems,
    close: async () => void (await Promise.allSettled(connected.map((server) => server.close()))),
  };
}

/** Shortened to what providers accept, two names may be equal: the first keeps it. */
function withoutDoubles(tools: readonly Tool[]): Tool[] {
  const taken = new Set<string>();
  return tools.filter(({ name }) => !taken.has(name) && taken.add(name));
}
