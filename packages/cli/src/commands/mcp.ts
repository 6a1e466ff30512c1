import type { ActionAnswer } from "@retake/runtime/actions";
import { action as listMcpServers } from "@retake/runtime/actions/list-mcp-servers";
import { act } from "../act.ts";
import type { Call, Command } from "../command.ts";

export const command: Command = {
  name: "mcp",
  group: "setup",
  summary: "Test the MCP servers of config.toml, and list their tools",
  usage: "",
  most: 0,
  examples: [
    ["retake mcp", "whether each server answers, and what it offers"],
    ["retake mcp --json", "the same for a program"],
  ],
  async run(call) {
    const { output } = call;
    const answer = await act(call, listMcpServers, { params: {}, query: {} });
    const { servers } = answer;
    output.say(answer, () =>
      servers.length === 0
        ? ["No MCP server is configured. Add one to config.toml: [mcp.<name>] with command and args, or with url."]
        : servers.flatMap((each) => lines(output, each)),
    );
  },
};

type Server = ActionAnswer<"listMcpServers">["servers"][number];

function lines(output: Call["output"], { name, where, status, message, tools }: Server): string[] {
  const title = `${output.style("bold", name)} ${output.style("dim", where)}`;
  if (status === "failed") return [title, `  ${message ?? "it does not answer"}`];
  if (tools.length === 0) return [title, "  offers no tools"];
  return [title, ...tools.map((tool) => `  ${tool.name}${tool.only_reads ? " (only reads)" : ""}`)];
}
