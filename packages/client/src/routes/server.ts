import { z } from "zod";
import { route } from "../route.ts";
import { jsonObject } from "../wire/common.ts";
import { feedEvent } from "../wire/event.ts";
import { workspaceStatus } from "../wire/thread.ts";

export const serverRoutes = {
  health: route({
    method: "GET",
    path: "/v1/health",
    summary: "That the server is up, and nothing else",
    answer: z.strictObject({ status: z.literal("ok") }),
    open: true,
  }),
  describeApi: route({
    method: "GET",
    path: "/v1/openapi.json",
    summary: "This description",
    answer: jsonObject,
  }),
  getWorkspaceStatus: route({
    method: "GET",
    path: "/v1/workspace/status",
    summary: "A directory: its git head, branch and changes, and its threads",
    query: z.strictObject({ workspace: z.string().max(4096).optional() }),
    answer: workspaceStatus,
  }),
  createLogin: route({
    method: "POST",
    path: "/v1/login",
    summary: "A link that signs a browser in, once and soon",
    body: z.strictObject({}),
    answer: z.object({ path: z.string(), expires_at: z.string() }),
  }),
  followEvents: route({
    method: "GET",
    path: "/v1/events",
    summary: "What happens, as it happens: server-sent events, whose ids `Last-Event-ID` or `since_seq` go on from",
    query: z.strictObject({
      since_seq: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
      thread: z.string().max(200).optional(),
    }),
    answer: feedEvent,
    stream: true,
  }),
};
