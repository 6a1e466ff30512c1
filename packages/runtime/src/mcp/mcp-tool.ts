import {
  type CallToolResult,
  type Client,
  type ContentBlock,
  type Tool as OfferedTool,
  SdkHttpError,
} from "@modelcontextprotocol/client";
import { type CallFacts, type JsonObject, sendableToolName } from "@retake/core";
import { completed, defineTool, failed } from "../tools/define-tool.ts";
import { OutputKeeper } from "../tools/output-keeper.ts";
import type { Tool, ToolEnd, ToolRun } from "../tools/tool.ts";

/**
 * A tool of an MCP server as one of ours. The server checks its own input. Files that a call changes in the
 * workspace are captured like those of any tool; what else it does cannot be undone, so it is named and asked
 * about, unless the server says that it only reads (X8, X13). A server that was started here ends with Retake; what
 * one at an address changes after a kill counts as the user's, and so stays.
 */
export function mcpTool(server: string, offered: OfferedTool, client: Client, timeout: number): Tool {
  const title = `${offered.name} of the MCP server ${server}`;
  const reads = offered.annotations?.readOnlyHint === true;
  const facts: CallFacts = { writes: true, paths: [], irreversible: reads ? [] : [title] };
  const tool = defineTool({
    name: sendableToolName(`${server}__${offered.name}`),
    description: offered.description || offered.title || title,
    // A tool without parameters may leave `properties` out, and OpenAI refuses every request with such a schema.
    input: { properties: {}, ...offered.inputSchema } as JsonObject,
    endsWithRetake: true,
    examine: async () => facts,
    run: (input, run) => call(client, offered.name, input, run, timeout),
  });
  return { ...tool, check: () => undefined };
}

async function call(client: Client, name: string, input: JsonObject, run: ToolRun, timeout: number): Promise<ToolEnd> {
  if (client.transport === undefined)
    return failed("The MCP server has ended, so nothing was sent. It is started again when the next turn begins.");
  try {
    const result = await client.callTool(
      { name, arguments: { ...input } },
      {
        signal: run.signal,
        timeout,
        resetTimeoutOnProgress: true,
        onprogress: ({ progress, total, message }) =>
          run.report({
            ...(total === undefined || total <= 0 ? {} : { fraction: Math.min(1, Math.max(0, progress / total)) }),
            ...(message === undefined ? {} : { message }),
            units: progress,
          }),
      },
    );
    const content = await resultText(result, run.overflow);
    return result.isError === true ? failed(content) : completed(content);
  } catch (error) {
    if (run.signal.aborted) throw error;
    if (isSessionLost(client, error)) {
      // So that it counts as closed: the next turn connects again.
      await client.close().catch(() => {});
      return failed(
        "The MCP server has lost the session, so nothing was done. It is connected again when the next turn begins.",
      );
    }
    return failed(`The MCP server did not answer: ${(error as Error).message}. It may or may not have done it.`);
  }
}

/**
 * Whether a server at an address does not know the client's session any more: it was started again, or has dropped it. The
 * protocol says 404; many servers answer 400.
 */
function isSessionLost({ transport }: Client, error: unknown): boolean {
  return (
    transport?.sessionId !== undefined &&
    error instanceof SdkHttpError &&
    (error.status === 404 || error.status === 400)
  );
}

/** The result as text; a long one is cut in the middle and stored whole in a file. */
async function resultText({ content, structuredContent }: CallToolResult, overflow: string): Promise<string> {
  const parts = content.map(asText);
  if (parts.length === 0 && structuredContent !== undefined) parts.push(JSON.stringify(structuredContent));
  const keeper = new OutputKeeper(overflow);
  await keeper.add(Buffer.from(parts.join("\n")));
  await keeper.close();
  return keeper.show() || "(no output)";
}

function asText(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `(${block.type}, ${block.mimeType}, ${Math.floor((block.data.length * 3) / 4)} bytes: not shown)`;
    case "resource_link":
      return `${block.name}: ${block.uri}`;
    case "resource":
      return "text" in block.resource
        ? block.resource.text
        : `(resource ${block.resource.uri}, ${block.resource.mimeType ?? "unknown type"}: not shown)`;
  }
}
