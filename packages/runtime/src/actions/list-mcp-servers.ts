import { openConfig } from "../config/open-config.ts";
import type { McpServerConfig } from "../config/server-config.ts";
import { openMcpServers } from "../mcp/open-servers.ts";
import { SlowFailures } from "../mcp/slow-failures.ts";
import { toolEnvironment } from "../tools/tool-environment.ts";
import { type Action, answer } from "./action.ts";
import { existingDirectory } from "./shared/existing-directory.ts";

/** Each server is started or reached as a turn would, and let go again. */
export const action: Action<"listMcpServers"> = async ({ runtime, root, query }) => {
  const { directories, environment, now } = runtime.store;
  const { mcp, tool_environment } = await openConfig(directories.config);
  const directory = existingDirectory(runtime, query.workspace ?? root);
  const place = { root: directory, environment: toolEnvironment(environment, tool_environment) };
  const names = Object.keys(mcp).sort();
  const failures = new SlowFailures({ state: directories.state, root: directory, now });
  const servers = await Promise.all(
    names.map((name) => tryServer(name, mcp[name] as McpServerConfig, place, failures)),
  );
  return answer({ servers });
};

async function tryServer(
  name: string,
  config: McpServerConfig,
  place: Parameters<typeof openMcpServers>[1],
  failures: SlowFailures,
) {
  // Without arguments and headers: they may hold keys.
  const where = config.kind === "program" ? config.command : new URL(config.url).origin;
  const opened = await openMcpServers({ [name]: config }, place);
  // The next turn uses it again.
  if (opened.problems.length === 0) failures.forget(name, config);
  try {
    const [problem] = opened.problems;
    if (problem !== undefined) return { name, where, status: "failed" as const, message: problem.message, tools: [] };
    const tools = await Promise.all(
      opened.tools.map(async (tool) => {
        const { irreversible } = await tool.examine({}, place);
        return { name: tool.name, description: tool.description, only_reads: irreversible.length === 0 };
      }),
    );
    return { name, where, status: "ready" as const, tools };
  } finally {
    await opened.close();
  }
}
