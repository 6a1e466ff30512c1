import { describe, expect, test } from "vitest";
import { type AnthropicRequest, anthropicProblems, type Block, sign } from "./anthropic-rules.ts";
import { type GeminiContent, type GeminiPart, geminiProblems } from "./gemini-rules.ts";
import { type ChatMessage, openaiChatProblems } from "./openai-chat-rules.ts";
import { openaiResponsesProblems, type ResponsesItem } from "./openai-responses-rules.ts";

/**
 * An oracle that refuses nothing proves nothing: each provider's rules must accept valid requests and refuse invalid
 * ones.
 */

const text = (text: string): Block => ({ type: "text", text });
const use = (id: string, more: object = {}) => ({ type: "tool_use", id, name: "read", input: {}, ...more }) as Block;
const result = (id: string): Block => ({ type: "tool_result", tool_use_id: id, content: "A", is_error: false });
const user = (...content: Block[]) => ({ role: "user", content });
const assistant = (...content: Block[]) => ({ role: "assistant", content });
const go = user(text("go"));

function anthropic(messages: AnthropicRequest["messages"], more: Partial<AnthropicRequest> = {}): AnthropicRequest {
  return { model: "m", system: "s", thinking: "disabled", messages, ...more };
}

function thought(before: AnthropicRequest["messages"], thinking = "hm", model = "m"): Block {
  return { type: "thinking", thinking, signature: sign({ model, system: "s", messages: before }, thinking) };
}

describe("the rules of Anthropic Messages", () => {
  test.each<[string, AnthropicRequest]>([
    ["one prompt", anthropic([go])],
    [
      "parallel calls",
      anthropic([go, assistant(text("a"), use("1"), use("2")), user(result("2"), result("1"), text("b"))]),
    ],
    [
      "thinking in a loop",
      anthropic([go, assistant(thought([go]), use("1")), user(result("1"))], { thinking: "enabled" }),
    ],
    ["no thinking after the loop", anthropic([go, assistant(text("a")), user(text("b"))], { thinking: "enabled" })],
  ])("take %s", (_, request) => {
    expect(anthropicProblems(request)).toEqual([]);
  });

  const loop = [go, assistant(use("1")), user(result("1"))];
  test.each<[string, AnthropicRequest]>([
    ["at least one message", anthropic([])],
    ["first message must use the user role", anthropic([assistant(text("a")), go])],
    ["roles must alternate", anthropic([go, go])],
    ["Unexpected role", anthropic([go, { role: "system", content: [text("x")] }])],
    ["all messages must have non-empty content", anthropic([go, assistant(), go])],
    ["text content blocks must be non-empty", anthropic([user(text(""))])],
    ["non-whitespace text", anthropic([user(text(" \n\u001c"))])],
    ["system: text content blocks must be non-empty", anthropic([go], { system: " " })],
    ["prefill", anthropic([go, assistant(text("a"))])],
    ["trailing whitespace", anthropic([go, assistant(text("a "))])],
    ["without `tool_result` blocks immediately after", anthropic([go, assistant(use("1")), user(text("b"))])],
    [
      "without `tool_result` blocks immediately after",
      anthropic([go, assistant(use("1"), use("2")), user(result("1"))]),
    ],
    ["unexpected `tool_use_id`", anthropic([user(result("1"))])],
    ["unexpected `tool_use_id`", anthropic([...loop, assistant(text("a")), user(result("1"))])],
    ["single result", anthropic([go, assistant(use("1")), user(result("1"), result("1"))])],
    ["must come first", anthropic([go, assistant(use("1")), user(text("b"), result("1"))])],
    ["ids must be unique", anthropic([...loop, assistant(use("1")), user(result("1"))])],
    ["tool_use.id", anthropic([go, assistant(use("a.b")), user(result("a.b"))])],
    ["at most 64", anthropic([go, assistant(use("x".repeat(65))), user(result("x".repeat(65)))])],
    ["tool_use.name", anthropic([go, assistant(use("1", { name: "a b" })), user(result("1"))])],
    ["valid dictionary", anthropic([go, assistant(use("1", { input: [] })), user(result("1"))])],
    ["invalid Unicode", anthropic([user(text("\ud800 x"))])],
    ["can only be in `assistant`", anthropic([user(use("1"))])],
    ["can only be in `user`", anthropic([go, assistant(result("1")), go])],
    ["final block in an assistant message cannot be `thinking`", anthropic([go, assistant(thought([go])), go])],
    ["must precede", anthropic([go, assistant(use("1"), thought([go]), text("b")), user(result("1"))])],
    ["Invalid `signature`", anthropic([go, assistant(thought([user(text("other"))]), text("a")), go])],
    ["Invalid `signature`", anthropic([go, assistant(thought([go], "hm", "another"), text("a")), go])],
    ["Invalid `data`", anthropic([go, assistant({ type: "redacted_thinking", data: "x" }, text("a")), go])],
    ["Expected `thinking` or `redacted_thinking`, but found `tool_use`", anthropic(loop, { thinking: "enabled" })],
    ["When thinking is disabled", anthropic([go, assistant(thought([go]), use("1")), user(result("1"))])],
  ])("refuse: %s", (problem, request) => {
    expect(anthropicProblems(request).join("\n")).toContain(problem);
  });
});

describe("the rules of OpenAI Chat Completions", () => {
  const ask: ChatMessage = { role: "user", content: "go" };
  const call = (id: string, name = "read", args = "{}") => ({
    id,
    type: "function",
    function: { name, arguments: args },
  });
  const calls = (...tool_calls: ReturnType<typeof call>[]): ChatMessage => ({
    role: "assistant",
    content: null,
    tool_calls,
  });
  const tool = (tool_call_id: string): ChatMessage => ({ role: "tool", tool_call_id, content: "" });

  test("accept parallel calls, results in any order, and a prompt after them", () => {
    const messages = [{ role: "system", content: "s" }, ask, calls(call("1"), call("2")), tool("2"), tool("1"), ask];
    expect(openaiChatProblems(messages)).toEqual([]);
  });

  test.each<[string, ChatMessage[]]>([
    ["nothing to answer", []],
    ["last message", [ask, { role: "assistant", content: "a" }]],
    ["must be followed by tool messages", [ask, calls(call("1")), ask]],
    ["must be followed by tool messages", [ask, calls(call("1"), call("2")), tool("1")]],
    ["must be a response to a preceding message", [ask, tool("1")]],
    ["must be a response to a preceding message", [ask, calls(call("1")), tool("1"), tool("1")]],
    ["Duplicate value", [ask, calls(call("1")), tool("1"), calls(call("1")), tool("1")]],
    ["maximum length 40", [ask, calls(call("x".repeat(41))), tool("x".repeat(41))]],
    ["function.name", [ask, calls(call("1", "a.b")), tool("1")]],
    ["must be an object", [ask, calls(call("1", "read", "[]")), tool("1")]],
    ["must be valid JSON", [ask, calls(call("1", "read", "{")), tool("1")]],
    ["got null", [ask, { role: "assistant", content: null }, ask]],
    ["minimum length 1", [{ role: "user", content: [] }]],
    ["must not be empty", [{ role: "user", content: [{ type: "text", text: " " }] }]],
    ["role: invalid value", [ask, { role: "reviewer", content: "x" }]],
    ["may only come first", [ask, { role: "system", content: "x" }]],
  ])("refuse: %s", (problem, messages) => {
    expect(openaiChatProblems(messages).join("\n")).toContain(problem);
  });
});

describe("the rules of OpenAI Responses", () => {
  const ask: ResponsesItem = { type: "message", role: "user", content: [{ type: "input_text", text: "go" }] };
  const said: ResponsesItem = { type: "message", role: "assistant", content: [{ type: "output_text", text: "a" }] };
  const reasoning: ResponsesItem = { type: "reasoning", summary: [], encrypted_content: "x" };
  const call = (call_id: string, more: object = {}) =>
    ({ type: "function_call", call_id, name: "read", arguments: "{}", ...more }) as ResponsesItem;
  const output = (call_id: string): ResponsesItem => ({ type: "function_call_output", call_id, output: "" });

  test("accept reasoning before calls and their outputs", () => {
    expect(openaiResponsesProblems([ask, reasoning, said, call("1"), call("2"), output("2"), output("1")])).toEqual([]);
  });

  test.each<[string, ResponsesItem[]]>([
    ["Missing required parameter", []],
    ["something to answer", [ask, said]],
    ["No tool output found for function call", [ask, call("1"), ask]],
    ["No tool call found", [ask, output("1")]],
    ["No tool call found", [ask, output("1"), call("1")]],
    ["Duplicate function call with", [ask, call("1"), call("1"), output("1")]],
    ["Duplicate function call output", [ask, call("1"), output("1"), output("1")]],
    ["required following item", [ask, reasoning, ask]],
    ["maximum length 64", [ask, call("x".repeat(65)), output("x".repeat(65))]],
    ["name: string", [ask, call("1", { name: "" }), output("1")]],
    ["must be an object", [ask, call("1", { arguments: '"x"' }), output("1")]],
    ["expected 'input_text'", [{ type: "message", role: "user", content: [{ type: "output_text", text: "a" }] }]],
    ["empty text", [{ type: "message", role: "user", content: [{ type: "input_text", text: "" }] }]],
    ["role: Invalid value", [{ type: "message", role: "tool", content: [] }]],
  ])("refuse: %s", (problem, items) => {
    expect(openaiResponsesProblems(items).join("\n")).toContain(problem);
  });
});

describe("the rules of Google Gemini", () => {
  const ask: GeminiContent = { role: "user", parts: [{ text: "go" }] };
  const call = (name: string): GeminiPart => ({ functionCall: { name, args: {} }, thoughtSignature: "x" });
  const response = (name: string): GeminiPart => ({ functionResponse: { name, response: {} } });
  const model = (...parts: GeminiPart[]): GeminiContent => ({ role: "model", parts });
  const answers = (...parts: GeminiPart[]): GeminiContent => ({ role: "user", parts });

  test("accept parallel calls, and a prompt after their responses", () => {
    expect(geminiProblems([ask, model(call("a"), call("b")), answers(response("a"), response("b")), ask])).toEqual([]);
  });

  test.each<[string, GeminiContent[]]>([
    ["contents are required", []],
    ["first content has the user role", [model({ text: "a" }), ask]],
    ["end with a user role", [ask, model({ text: "a" })]],
    ["alternate between user and model", [ask, model({ text: "a" }), model({ text: "b" }), ask]],
    ["valid role", [ask, { role: "system", parts: [{ text: "x" }] }]],
    ["must not be empty", [answers()]],
    ["oneof field", [answers({})]],
    ["non-empty text", [answers({ text: "" })]],
    ["function call turn comes immediately after", [model(call("a")), answers(response("a"))]],
    ["number of function response parts", [ask, model(call("a"), call("b")), answers(response("a"))]],
    ["number of function response parts", [ask, model(call("a")), ask]],
    ["out of order", [ask, model(call("a"), call("b")), answers(response("b"), response("a"))]],
    ["function response turn comes immediately after", [ask, answers(response("a"))]],
    ["only function responses", [ask, model(call("a")), answers(response("a"), { text: "b" })]],
    ["Invalid function name", [ask, model(call("1a")), answers(response("1a"))]],
    ["missing a thought_signature", [ask, model({ functionCall: { name: "a", args: {} } }), answers(response("a"))]],
    [
      "args: must be a Struct",
      [ask, model({ ...call("a"), functionCall: { name: "a", args: [] } }), answers(response("a"))],
    ],
    ["must have the model role", [answers(call("a"))]],
    ["must have the user role", [ask, model(response("a")), ask]],
  ])("refuse: %s", (problem, contents) => {
    expect(geminiProblems(contents).join("\n")).toContain(problem);
  });
});
