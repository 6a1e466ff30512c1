import type { McpServerConfig } from "../config/server-config.ts";
import type { Tool } from "../tools/tool.ts";
import type { ConnectedServer } from "./connect-server.ts";

export interface McpServers {
  /** The tools of all servers, always in the same order: what a model is sent stays the same. */
  readonly tools: readonly Tool[];
  /** The servers that could not be reached, whose tools are missing. */
  readonly problems: readonly { readonly server: string; readonly message: string }[];
  close(): Promise<void>;
}

/**
 * Connects to the configured MCP servers, all at once. One that fails or is slow costs its own tools
 * and nothing else. The protocol's library is loaded only where a server is configured.
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

/** Cut to what providers take, two names may be one: the first keeps it. */
function withoutDoubles(tools: readonly Tool[]): Tool[] {
  const taken = new Set<string>();
  return tools.filter(({ name }) => !taken.has(name) && taken.add(name));
}
