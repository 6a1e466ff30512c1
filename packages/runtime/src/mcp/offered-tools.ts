import { openConfig } from "../config/open-config.ts";
import type { Store } from "../store/open-store.ts";
import type { Tool } from "../tools/tool.ts";
import { toolEnvironment } from "../tools/tool-environment.ts";
import type { McpServers } from "./open-servers.ts";

/**
 * The tools of agents in a workspace: Retake's own and those of the configured MCP servers, which are connected once.
 */
export class OfferedTools {
  readonly #root: string;
  readonly #store: Pick<Store, "directories" | "environment">;
  #servers: Promise<McpServers> | undefined;

  constructor(root: string, store: Pick<Store, "directories" | "environment">) {
    this.#root = root;
    this.#store = store;
  }

  async open(): Promise<{ readonly tools: readonly Tool[]; readonly problems: McpServers["problems"] }> {
    this.#servers ??= this.#connect();
    const [own, servers] = await Promise.all([import("../tools/tools.ts"), this.#servers]);
    return { tools: [...own.TOOLS, ...servers.tools], problems: servers.problems };
  }

  async close(): Promise<void> {
    await (await this.#servers?.catch(() => undefined))?.close();
  }

  async #connect(): Promise<McpServers> {
    const { mcp, tool_environment } = await openConfig(this.#store.directories.config);
    const { openMcpServers } = await import("./open-servers.ts");
    return openMcpServers(mcp, {
      root: this.#root,
      environment: toolEnvironment(this.#store.environment, tool_environment),
    });
  }
}
