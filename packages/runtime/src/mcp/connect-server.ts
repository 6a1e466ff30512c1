import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { McpServerConfig } from "../config/server-config.ts";
import type { Tool } from "../tools/tool.ts";
import { guardCommand } from "../tools/watchdog.ts";
import { mcpTool } from "./mcp-tool.ts";

export interface ConnectedServer {
  readonly config: McpServerConfig;
  readonly tools: readonly Tool[];
  /** False once its program has ended. Of a server at an address, only the next call finds out. */
  isOpen(): boolean;
  close(): Promise<void>;
}

/** Starts or reaches one server and requests its tools. Errors tell the user what to do, and leave nothing running. */
export async function connectServer(
  name: string,
  config: McpServerConfig,
  place: { readonly root: string; readonly environment: Readonly<Record<string, string>> },
): Promise<ConnectedServer> {
  const client = new Client({ name: "retake", version: "1" });
  const said = new LastWords();
  const guarded = guardCommand();
  const close = () => client.close().finally(guarded.ended);
  try {
    const environment = { ...place.environment, ...guarded.environment };
    await client.connect(transportTo(config, { ...place, environment }, said), { timeout: CONNECT_TIMEOUT });
    const { tools } = await client.listTools(undefined, { timeout: CONNECT_TIMEOUT });
    const sorted = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return {
      config,
      // The client lets its transport go when that closes.
      isOpen: () => client.transport !== undefined,
      tools: sorted.map((tool) => mcpTool(name, tool, client, config.timeout_ms)),
      close,
    };
  } catch (error) {
    await close().catch(() => {});
    const { message } = error as Error;
    throw new Error(
      `The MCP server ${name} cannot be used: ${message}.${said.text} Its tools are not offered. ` +
        `Look at [mcp.${name}] in the configuration.`,
      { cause: error },
    );
  }
}

/** The limit for a program to start, or a server to answer. */
const CONNECT_TIMEOUT = 15_000;

function transportTo(
  config: McpServerConfig,
  { root, environment }: { readonly root: string; readonly environment: Readonly<Record<string, string>> },
  said: LastWords,
): Transport {
  if (config.kind === "address") {
    return new StreamableHTTPClientTransport(new URL(config.url), { requestInit: { headers: config.headers } });
  }
  const { command, args, env } = config;
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...environment, ...env },
    cwd: root,
    stderr: "pipe",
  });
  transport.stderr?.on("data", (chunk: Buffer) => said.add(chunk));
  return transport;
}

/** The end of a program's error output: most programs say there why they do not start. */
class LastWords {
  #text = "";

  add(chunk: Buffer): void {
    this.#text = (this.#text + chunk.toString("utf8")).slice(-300);
  }

  get text(): string {
    const said = this.#text.trim().replace(/\s+/g, " ");
    return said === "" ? "" : ` It said: ${said}`;
  }
}
