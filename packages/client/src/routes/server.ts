import { z } from "zod";
import { route } from "../route.ts";
import { approvals, rule } from "../wire/approvals.ts";
import { jsonObject } from "../wire/common.ts";
import { event } from "../wire/event.ts";
import { models } from "../wire/models.ts";
import { workspaceStatus } from "../wire/thread.ts";

export const serverRoutes = {
  health: route("GET", "/v1/health", {
    summary: "That the server is up, and nothing else",
    answer: z.strictObject({ status: z.literal("ok") }),
    open: true,
  }),
  describeApi: route("GET", "/v1/openapi.json", {
    summary: "This description",
    answer: jsonObject,
  }),
  listModels: route("GET", "/v1/models", {
    summary:
      "The models that can be used, by provider, with their prices; and the one that is used where none is named",
    answer: models,
  }),
  listMcpServers: route("GET", "/v1/mcp", {
    summary: "The configured MCP servers: whether each answers when it is started or reached, and its tools",
    query: z.strictObject({ workspace: z.string().max(4096).optional() }),
    answer: z.object({
      servers: z.array(
        z.object({
          name: z.string(),
          /** The program, or the host; never arguments or headers. */
          where: z.string(),
          status: z.enum(["ready", "failed"]),
          /** Why it cannot be used. */
          message: z.string().optional(),
          tools: z.array(z.object({ name: z.string(), description: z.string(), only_reads: z.boolean() })),
        }),
      ),
    }),
  }),
  getWorkspaceStatus: route("GET", "/v1/workspace/status", {
    summary: "A directory: its git head, branch and changes, and its threads",
    query: z.strictObject({
      workspace: z.string().max(4096).optional(),
      /** The thread; by default the current one. */
      thread: z.string().max(300).optional(),
    }),
    answer: workspaceStatus,
  }),
  getApprovals: route("GET", "/v1/approvals", {
    summary: "What runs without a question in a directory of this machine, the rules, and how commands are confined",
    query: z.strictObject({ workspace: z.string().max(4096).optional() }),
    answer: approvals,
  }),
  changeApprovals: route("PATCH", "/v1/approvals", {
    summary: "Sets the mode, adds a rule, or removes one by its number",
    body: z.strictObject({
      workspace: z.string().max(4096).optional(),
      mode: z.enum(["undoable", "ask", "all"]).optional(),
      add: rule.optional(),
      remove: z.number().int().min(1).optional(),
    }),
    answer: approvals,
  }),
  createLogin: route("POST", "/v1/login", {
    summary: "A link that signs a browser in, once and soon",
    body: z.strictObject({}),
    answer: z.object({ path: z.string(), expires_at: z.string() }),
  }),
  followEvents: route("GET", "/v1/events", {
    stream: true,
    summary:
      "What happens, as it happens: server-sent events, whose opaque ids `Last-Event-ID` or `since_seq` go on from",
    query: z.strictObject({
      since_seq: z.string().max(100).optional(),
      thread: z.string().max(200).optional(),
    }),
    answer: event,
  }),
};
