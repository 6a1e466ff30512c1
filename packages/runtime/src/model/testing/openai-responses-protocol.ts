import { createHash } from "node:crypto";
import type { JsonObject } from "@retake/core";
import { openaiResponsesProblems, type ResponsesItem } from "@retake/core/provider-rules";
import { type AnswerBlock, type Chunk, event, inputText, pieces, type ScriptedAnswer } from "./answer-script.ts";
import { type Protocol, toolProblems } from "./protocol.ts";

/** OpenAI Responses without storage. Encrypted reasoning is bound to what precedes it, which is stricter than documented. */
export const openaiResponsesProtocol: Protocol = {
  path: /^\/v1\/responses$/,
  modelOf: (body) => String(body["model"]),
  keyOf: (headers) => String(headers["authorization"]).replace(/^Bearer /, ""),
  problems: (body, model) => [
    ...bodyProblems(body, model),
    ...openaiResponsesProblems(items(body)),
    ...proofProblems(body, model),
  ],
  chunks: (answer, body, model) => [...chunks(answer, body, model)],
  errorBody: (status, message) => ({
    error: { message, type: TYPES[status] ?? "server_error", param: null, code: CODES[status] ?? null },
  }),
  errorEvent: (type, message) =>
    event({ type: "error", sequence_number: 9, error: { type, code: type, message, param: null } }),
};

const TYPES: Record<number, string> = { 400: "invalid_request_error", 401: "invalid_request_error", 429: "requests" };
const CODES: Record<number, string> = { 401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded" };
const REASONS = /^(?:gpt-5|o\d)/;

type WireItem = { readonly type?: string; readonly role?: string; readonly content?: unknown };
type WireContent = { readonly type: string; readonly text?: string };

function items(body: JsonObject): ResponsesItem[] {
  return (body["input"] as unknown as WireItem[])
    .filter(({ role }) => role !== "system" && role !== "developer")
    .map((item) => {
      if (item.type !== undefined && item.type !== "message") return item as unknown as ResponsesItem;
      // A plain text stands for one part, of the kind that its role has.
      const type = item.role === "assistant" ? "output_text" : "input_text";
      const spoken = typeof item.content === "string" ? [{ type, text: item.content }] : item.content;
      const content = (spoken as WireContent[]).map((each) =>
        each.type === "input_image" ? { type: "input_text", text: `(image ${JSON.stringify(each).length})` } : each,
      );
      return { type: "message", role: String(item.role), content: content as { type: string; text: string }[] };
    });
}

function bodyProblems(body: JsonObject, model: string): string[] {
  const problems = toolProblems(((body["tools"] ?? []) as { name: unknown }[]).map(({ name }) => name));
  if (body["store"] !== false) problems.push("store: this organization keeps nothing");
  if (REASONS.test(model) && body["temperature"] !== undefined)
    problems.push("Unsupported parameter: 'temperature' is not supported with this model.");
  if (!REASONS.test(model) && body["reasoning"] !== undefined)
    problems.push("Unsupported parameter: 'reasoning.effort' is not supported with this model.");
  if (!REASONS.test(model) && JSON.stringify(body["include"] ?? []).includes("encrypted_content"))
    problems.push("Encrypted content is not supported with this model.");
  for (const item of body["input"] as unknown as { id?: string }[])
    if (item.id !== undefined)
      problems.push(`Item with id '${item.id}' not found. Items are not persisted when \`store\` is false.`);
  return problems;
}

function proofProblems(body: JsonObject, model: string): string[] {
  const all = items(body);
  return all.flatMap((item, index) => {
    if (item.type !== "reasoning") return [];
    const text = item.summary.map((each) => each.text).join("\n\n");
    return item.encrypted_content === prove(model, all.slice(0, index), text)
      ? []
      : [`input[${index}]: The encrypted content could not be verified.`];
  });
}

/** Covers the conversation before, no matter how many pieces it came in. */
function prove(model: string, before: readonly ResponsesItem[], summary: string): string {
  const said = before.flatMap((item) => {
    if (item.type === "reasoning") return [];
    return [
      item.type === "message" ? `${item.role} ${item.content.map(({ text }) => text).join("")}` : JSON.stringify(item),
    ];
  });
  return `enc-${createHash("sha256")
    .update(JSON.stringify([model, said, summary]))
    .digest("base64")}`;
}

function* chunks(answer: ScriptedAnswer, body: JsonObject, model: string): Generator<Chunk> {
  const response = { id: "resp_1", created_at: 1_760_000_000, model };
  yield said("start", "response.created", { response });
  const before = items(body);
  const thinks = REASONS.test(model);
  const blocks = (answer.blocks ?? []).filter(({ type }) => thinks || (type !== "thinking" && type !== "redacted"));
  for (const [index, each] of blocks.entries()) {
    yield* itemChunks(each, index, (summary) => prove(model, before, summary));
    if (each.type === "text")
      before.push({ type: "message", role: "assistant", content: [{ type: "output_text", text: each.text }] });
  }
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 40 },
    output_tokens: 12,
    output_tokens_details: { reasoning_tokens: 3 },
  };
  const reason = { end: null, length: "max_output_tokens", refused: "content_filter" }[answer.stop ?? "end"];
  const incomplete_details = reason === null ? null : { reason };
  yield said("end", reason === null ? "response.completed" : "response.incomplete", {
    response: { ...response, usage, incomplete_details },
  });
}

function* itemChunks(each: AnswerBlock, output_index: number, proof: (summary: string) => string): Generator<Chunk> {
  const id = `item_${output_index}`;
  const at = { item_id: id, output_index };
  const added = (item: object) => said("start", "response.output_item.added", { output_index, item: { id, ...item } });
  const done = (item: object) => said("start", "response.output_item.done", { output_index, item: { id, ...item } });
  switch (each.type) {
    case "redacted":
      yield added({ type: "reasoning", summary: [], encrypted_content: null });
      yield done({ type: "reasoning", summary: [], encrypted_content: proof("") });
      break;
    case "thinking": {
      yield added({ type: "reasoning", summary: [], encrypted_content: null });
      for (const [summary_index, paragraph] of each.text.split("\n\n").entries()) {
        yield said("start", "response.reasoning_summary_part.added", { ...at, summary_index });
        for (const delta of pieces(paragraph))
          yield said("thinking", "response.reasoning_summary_text.delta", { ...at, summary_index, delta });
        yield said("start", "response.reasoning_summary_part.done", { ...at, summary_index });
      }
      yield done({ type: "reasoning", summary: [], encrypted_content: proof(each.text) });
      break;
    }
    case "text":
      yield added({ type: "message", status: "in_progress", role: "assistant", content: [] });
      for (const delta of pieces(each.text))
        yield said("text", "response.output_text.delta", { ...at, content_index: 0, delta });
      yield done({ type: "message", status: "completed", role: "assistant", content: [] });
      break;
    case "call": {
      const call = { type: "function_call", call_id: each.id, name: each.name };
      yield added({ ...call, arguments: "" });
      for (const delta of pieces(inputText(each.input)))
        yield said("arguments", "response.function_call_arguments.delta", { ...at, delta });
      yield done({ ...call, arguments: inputText(each.input), status: "completed" });
      break;
    }
  }
}

function said(kind: Chunk["kind"], type: string, data: object): Chunk {
  return { kind, text: event({ type, ...data }, type) };
}
