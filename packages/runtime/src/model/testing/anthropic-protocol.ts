import { createHash } from "node:crypto";
import type { JsonObject } from "@retake/core";
import { type AnthropicRequest, anthropicProblems, type Block, sign } from "@retake/core/provider-rules";
import { type AnswerBlock, type Chunk, event, inputText, pieces, type ScriptedAnswer } from "./answer-script.ts";
import { type Protocol, toolProblems } from "./protocol.ts";

/**
 * Anthropic Messages. Thinking is signed for the messages it was made under, and refused under others. The cache works as
 * documented: what was sent up to a mark is read again when a later request has a mark at most 20 blocks further on.
 */
export function anthropicProtocol(): Protocol {
  const cached = new Set<string>();
  return {
    path: /^\/v1\/messages$/,
    modelOf: (body) => String(body["model"]),
    keyOf: (headers) => String(headers["x-api-key"]),
    problems: (body, model) => [...bodyProblems(body), ...anthropicProblems(wireRequest(body, model))],
    chunks: (answer, body, model) => [...chunks(answer, body, model, cached)],
    errorBody: (status, message) => ({ type: "error", error: { type: TYPES[status] ?? "api_error", message } }),
    errorEvent: (type, message) => event({ type: "error", error: { type, message } }, "error"),
  };
}

const TYPES: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

interface WireBlock {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly cache_control?: unknown;
}

function wireRequest(body: JsonObject, model: string): AnthropicRequest {
  const messages = body["messages"] as unknown as { role: string; content: readonly WireBlock[] }[];
  const kind = (body["thinking"] as { type?: string } | undefined)?.type ?? "disabled";
  return {
    model,
    system: systemOf(body),
    thinking: kind as AnthropicRequest["thinking"],
    messages: messages.map(({ role, content }) => ({ role, content: content.map(block) })),
  };
}

function systemOf(body: JsonObject): string {
  return ((body["system"] ?? []) as unknown as WireBlock[]).map(({ text }) => text).join("\n");
}

function block(wire: WireBlock): Block {
  const { cache_control: _, ...rest } = wire;
  if (wire.type === "image") return { type: "text", text: `(image ${hashOf(wire)})` };
  if (wire.type !== "tool_result") return rest as unknown as Block;
  const content =
    typeof wire.content === "string"
      ? wire.content
      : ((wire.content ?? []) as WireBlock[]).map(({ text }) => text).join("");
  return { is_error: false, ...rest, content } as unknown as Block;
}

function bodyProblems(body: JsonObject): string[] {
  const thinking = body["thinking"] as { type?: string; budget_tokens?: number } | undefined;
  const problems = toolProblems(((body["tools"] ?? []) as { name: unknown }[]).map(({ name }) => name));
  if (body["stream"] !== true) problems.push("stream: expected true");
  if (typeof body["max_tokens"] !== "number") problems.push("max_tokens: Field required");
  if (thinking?.type === "enabled") {
    if ((thinking.budget_tokens ?? 0) < 1024) problems.push("thinking.enabled.budget_tokens: at least 1024");
    if ((thinking.budget_tokens ?? 0) >= Number(body["max_tokens"]))
      problems.push("`max_tokens` must be greater than `thinking.budget_tokens`");
  }
  if (
    thinking?.type !== undefined &&
    thinking.type !== "disabled" &&
    ![undefined, 1].includes(body["temperature"] as number)
  )
    problems.push("`temperature` may only be set to 1 when thinking is enabled");
  if (body["temperature"] !== undefined && body["top_p"] !== undefined)
    problems.push("`temperature` and `top_p` cannot both be specified for this model");
  const marks = JSON.stringify(body).match(/"cache_control":/g)?.length ?? 0;
  if (marks > 4) problems.push(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
  return problems;
}

function* chunks(answer: ScriptedAnswer, body: JsonObject, model: string, cached: Set<string>): Generator<Chunk> {
  const request = wireRequest(body, model);
  const said = (answer.blocks ?? []).filter(({ type }) => !isThinking(type) || request.thinking !== "disabled");
  const usage = cacheUsage(body, cached);
  const start = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    content: [],
    model,
    stop_reason: null,
    stop_sequence: null,
  };
  yield named("start", "message_start", { message: { ...start, usage: { ...usage, output_tokens: 1 } } });
  yield named("start", "ping", {});
  for (const [index, each] of said.entries()) yield* blockChunks(each, index, request);
  const calls = said.some(({ type }) => type === "call");
  const stop_reason = { end: calls ? "tool_use" : "end_turn", length: "max_tokens", refused: "refusal" }[
    answer.stop ?? "end"
  ];
  yield named("end", "message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 12 } });
  yield named("end", "message_stop", {});
}

function isThinking(type: string): boolean {
  return type === "thinking" || type === "redacted";
}

function* blockChunks(each: AnswerBlock, index: number, request: AnthropicRequest): Generator<Chunk> {
  const open = (kind: Chunk["kind"], content_block: object) =>
    named(kind, "content_block_start", { index, content_block });
  const grow = (kind: Chunk["kind"], delta: object) => named(kind, "content_block_delta", { index, delta });
  switch (each.type) {
    case "thinking":
      yield open("start", { type: "thinking", thinking: "", signature: "" });
      for (const thinking of pieces(each.text)) yield grow("thinking", { type: "thinking_delta", thinking });
      yield grow("start", { type: "signature_delta", signature: sign(request, each.text) });
      break;
    case "redacted":
      yield open("thinking", { type: "redacted_thinking", data: sign(request, "") });
      break;
    case "text":
      yield open("start", { type: "text", text: "" });
      for (const text of pieces(each.text)) yield grow("text", { type: "text_delta", text });
      break;
    case "call":
      yield open("start", { type: "tool_use", id: each.id, name: each.name, input: {} });
      for (const partial_json of pieces(inputText(each.input)))
        yield grow("arguments", { type: "input_json_delta", partial_json });
      break;
  }
  yield named("start", "content_block_stop", { index });
}

function named(kind: Chunk["kind"], type: string, data: object): Chunk {
  return { kind, text: event({ type, ...data }, type) };
}

const LOOK_BACK = 20;

/** Tokens are characters divided by four, as everywhere. */
function cacheUsage(body: JsonObject, cached: Set<string>) {
  const messages = body["messages"] as unknown as { role: string; content: readonly WireBlock[] }[];
  const blocks = [
    ...((body["tools"] ?? []) as unknown as WireBlock[]),
    ...((body["system"] ?? []) as unknown as WireBlock[]),
    ...messages.flatMap(({ role, content }) => content.map((each) => ({ ...each, role }))),
  ];
  let link = JSON.stringify(body["thinking"] ?? null);
  let size = 0;
  const places = blocks.map((each) => {
    const { cache_control: mark, ...rest } = each;
    link = hashOf([link, rest]);
    size += JSON.stringify(rest).length;
    return { link, size, marked: mark !== undefined };
  });
  let read = 0;
  places.forEach((place, index) => {
    if (!place.marked) return;
    const found = places.slice(Math.max(index - LOOK_BACK, 0), index + 1).findLast((each) => cached.has(each.link));
    read = Math.max(read, found?.size ?? 0);
  });
  const marked = places.findLast((place) => place.marked)?.size ?? 0;
  for (const place of places) if (place.marked) cached.add(place.link);
  const tokens = (characters: number) => Math.ceil(characters / 4);
  const kept = Math.max(marked, read);
  return {
    input_tokens: tokens(size) - tokens(kept),
    cache_read_input_tokens: tokens(read),
    cache_creation_input_tokens: tokens(kept) - tokens(read),
  };
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
