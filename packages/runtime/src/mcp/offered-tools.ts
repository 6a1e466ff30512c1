import { openConfig } from "../config/open-config.ts";
import type { Store } from "../store/open-store.ts";
import { toolEnvironment } from "../tools/tool-environment.ts";
import type { ConnectedServer } from "./connect-server.ts";
import type { McpServers } from "./open-servers.ts";

/**
 * The tools of agents in a workspace: Retake's own and those of the configured MCP servers. Connections stay open between
 * turns; each turn connects again to the servers that have ended or could not be reached, except those that were slow to
 * fail a short time ago.
 */
export class OfferedTools {
  readonly #root: string;
  readonly #store: Pick<Store, "directories" | "environment" | "now">;
  readonly #connections = new Map<string, ConnectedServer>();
  /** The last connecting: one waits for the other, so that no server is started twice. */
  #servers: Promise<McpServers> | undefined;

  constructor(root: string, store: Pick<Store, "directories" | "environment" | "now">) {
    this.#root = root;
    this.#store = store;
  }

  /** After an abort it waits for no server: a caller that has stopped calls no tools. */
  async open(signal: AbortSignal): Promise<Pick<McpServers, "problems" | "tools">> {
    this.#servers = this.#connect(this.#servers);
    const [own, servers] = await Promise.all([import("../tools/tools.ts"), untilAborted(this.#servers, signal)]);
    return { tools: [...own.TOOLS, ...servers.tools], problems: servers.problems };
  }

  async close(): Promise<void> {
    await this.#servers?.catch(() => undefined);
    await Promise.allSettled([...this.#connections.values()].map((server) => server.close()));
  }

  async #connect(before: Promise<McpServers> | undefined): Promise<McpServers> {
    await before?.catch(() => undefined);
    const { mcp, tool_environment } = await openConfig(this.#store.directories.config);
    const [{ openMcpServers }, { SlowFailures }] = await Promise.all([
      import("./open-servers.ts"),
      import("./slow-failures.ts"),
    ]);
    const environment = toolEnvironment(this.#store.environment, tool_environment);
    const { directories, now } = this.#store;
    const failures = new SlowFailures({ state: directories.state, root: this.#root, now });
    return openMcpServers(mcp, { root: this.#root, environment }, this.#connections, failures);
  }
}

function untilAborted(
  servers: Promise<McpServers>,
  signal: AbortSignal,
): Promise<Pick<McpServers, "problems" | "tools">> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve({ tools: [], problems: [] });
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    servers.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
