import { writeFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

/** Tools that read, write, fail, wait, report, and tell what their process sees. */
export function testServer(): McpServer {
  const server = new McpServer({ name: "test", version: "1" });
  const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
  server.registerTool(
    "look",
    { description: "Looks.", inputSchema: z.object({ at: z.string() }), annotations: { readOnlyHint: true } },
    async ({ at }) => text(`saw ${at}`),
  );
  server.registerTool(
    "write",
    { inputSchema: z.object({ path: z.string(), content: z.string() }) },
    async ({ path, content }) => {
      writeFileSync(path, content);
      return text("written");
    },
  );
  server.registerTool("fail", { inputSchema: z.object({}) }, async () => ({ ...text("it broke"), isError: true }));
  server.registerTool("environment", { inputSchema: z.object({}) }, async () => text(JSON.stringify(process.env)));
  server.registerTool("long", { inputSchema: z.object({}) }, async () => text("line\n".repeat(20_000)));
  server.registerTool(
    "wait",
    { inputSchema: z.object({ path: z.string().optional() }) },
    async ({ path }, { mcpReq }) => {
      if (path !== undefined) writeFileSync(path, "from afar");
      const progressToken = mcpReq._meta?.progressToken;
      if (progressToken !== undefined) {
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress: 1, total: 4, message: "a quarter" },
        });
      }
      await new Promise((resolve) => mcpReq.signal.addEventListener("abort", resolve, { once: true }));
      return text("cancelled");
    },
  );
  return server;
}
