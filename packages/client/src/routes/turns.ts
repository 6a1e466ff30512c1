import { z } from "zod";
import { route } from "../route.ts";
import { changed, jsonObject, last, more, page } from "../wire/common.ts";
import { event } from "../wire/event.ts";
import { takenBack } from "../wire/taken-back.ts";
import { approvalGiven, turn, turnAccepted, turnChanged, turnInterrupted, turnRequest } from "../wire/turn.ts";

/** The options of a turn. */
const turnOptions = {
  /** By default the mode of the workspace. */
  approve: z.enum(["undoable", "ask", "all"]).optional(),
  /** False: calls that need a question are denied. */
  questions: z.boolean().optional(),
  /** How long it may wait for other work in its thread and directory; any time if absent. Then it is not started. */
  wait_ms: z.number().int().min(0).max(86_400_000).optional(),
};

const spent = { turns: z.number().int(), usage: jsonObject, cost: z.number().optional() };

export const turnRoutes = {
  startTurn: route("POST", "/v1/threads/{id}/turns", {
    summary: "Queues a turn and answers at once; what it does is told by events and by GET …/turns",
    body: z.strictObject({
      prompt: z.string(),
      model: z.string().max(200).optional(),
      ...turnOptions,
    }),
    answer: turnAccepted,
    status: 202,
  }),
  getUsage: route("GET", "/v1/threads/{id}/usage", {
    summary:
      "The tokens that a thread's turns and summaries took, undone ones too, and their cost where prices are known",
    answer: z.object({
      ...spent,
      models: z.array(z.object({ model: z.string(), ...spent })),
    }),
  }),
  listTurns: route("GET", "/v1/threads/{id}/turns", {
    summary:
      "The turns of the active take in their order, those that wait or are paused, and the approvals they wait for",
    query: z.strictObject({
      /** The turns right before one; `limit` of them. */
      before: z.string().max(300).optional(),
      ...last,
      ...page,
    }),
    answer: z.object({
      turns: z.array(turn),
      version: z.number().int(),
      /** Whether there are turns before these. */
      more_before: z.boolean(),
      ...more,
    }),
  }),
  followTurn: route("GET", "/v1/threads/{id}/turns/{turn}/stream", {
    stream: true,
    summary:
      "The events of one turn, from its beginning to its end: server-sent events, which `Last-Event-ID` goes on after",
    answer: event,
  }),
  getTurnRequest: route("GET", "/v1/threads/{id}/turns/{turn}/request", {
    summary: "What the model was sent in a turn, as the communication log has it: without keys and other secrets",
    query: z.strictObject({
      /** Which request: the last one, unless its step is named. */
      step: z.coerce.number().int().min(0).max(1_000_000).optional(),
      attempt: z.coerce.number().int().min(0).max(1_000_000).optional(),
    }),
    answer: turnRequest,
  }),
  changeQueuedTurn: route("PATCH", "/v1/threads/{id}/turns/{turn}", {
    summary: "Changes the prompt or the model of a turn that waits; one that has begun is refused",
    body: z.strictObject({
      prompt: z.string().optional(),
      model: z.string().max(200).optional(),
    }),
    answer: turnChanged,
  }),
  removeQueuedTurn: route("DELETE", "/v1/threads/{id}/turns/{turn}", {
    summary: "Takes a turn that waits or is paused out of the queue; one that has begun is refused, interrupt ends it",
    answer: turnChanged,
  }),
  continueTurns: route("POST", "/v1/threads/{id}/turns/continue", {
    summary: "Queues the paused prompts of a thread again, in their order; they run as turns with new ids",
    body: z.strictObject({
      /** Only this one. */
      turn: z.string().max(300).optional(),
    }),
    answer: z.object({ ...changed, turns: z.array(turn) }),
    status: 202,
  }),
  interruptTurn: route("POST", "/v1/threads/{id}/turns/{turn}/interrupt", {
    summary: "Ends a turn that runs or waits; what it did stays until it is undone",
    body: z.strictObject({}),
    answer: turnInterrupted,
  }),
  tryNow: route("POST", "/v1/threads/{id}/turns/{turn}/try-now", {
    summary: "Asks the model again at once where a turn waits for its next try",
    body: z.strictObject({}),
    answer: turnChanged,
  }),
  stopTurns: route("POST", "/v1/workspace/stop", {
    summary:
      "Ends all turns that run or wait in a directory, in whichever process; what they did stays until it is undone",
    body: z.strictObject({
      workspace: z.string().max(4096).optional(),
      /** Only turns of this thread. */
      thread: z.string().max(300).optional(),
    }),
    answer: z.object({
      turns: z.array(
        turn.extend({
          thread_id: z.string(),
          title: z.string(),
          /** Another machine began it. */
          elsewhere: z.literal(true).optional(),
        }),
      ),
    }),
  }),
  decideApproval: route("POST", "/v1/threads/{id}/turns/{turn}/approvals/{call}", {
    summary: "Says whether a tool call may run",
    body: z.strictObject({
      decision: z.enum(["allow", "allow-always", "deny"]),
      /** Why it is denied: the model reads it as the result of the call. */
      reason: z.string().max(1000).optional(),
    }),
    answer: approvalGiven,
  }),
  retry: route("POST", "/v1/threads/{id}/retry", {
    summary:
      "Takes the last turn back and begins another in its place, in one step, with the same prompt and model or others",
    body: z.strictObject({
      prompt: z.string().optional(),
      model: z.string().max(200).optional(),
      ...turnOptions,
    }),
    answer: turnAccepted.extend({ taken_back: takenBack }),
    status: 202,
  }),
};
