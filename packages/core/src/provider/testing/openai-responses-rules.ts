import type { Projection } from "../project-messages.ts";
import { isBlank, isPlainObject, jsonProblems } from "./json-rules.ts";

export type ResponsesItem =
  | { readonly type: "message"; readonly role: string; readonly content: readonly { type: string; text: string }[] }
  | {
      readonly type: "reasoning";
      readonly summary: readonly { type: string; text: string }[];
      readonly encrypted_content: string;
    }
  | { readonly type: "function_call"; readonly call_id: string; readonly name: string; readonly arguments: string }
  | { readonly type: "function_call_output"; readonly call_id: string; readonly output: string };

/** As in the AI SDK with `store: false`: no item ids, reasoning as encrypted content. */
export function toOpenaiResponses(sent: Projection): ResponsesItem[] {
  const items: ResponsesItem[] = [];
  for (const { role, parts } of sent.messages) {
    for (const part of parts) {
      if (part.type === "text") {
        const type = role === "assistant" ? "output_text" : "input_text";
        items.push({ type: "message", role, content: [{ type, text: part.text }] });
      }
      if (part.type === "thinking") {
        const summary = part.redacted ? [] : [{ type: "summary_text", text: part.text }];
        items.push({ type: "reasoning", summary, encrypted_content: part.signature });
      }
      if (part.type === "tool-call") {
        const { call_id, name, input } = part;
        items.push({ type: "function_call", call_id, name, arguments: JSON.stringify(input) });
      }
      if (part.type === "tool-result")
        items.push({ type: "function_call_output", call_id: part.call_id, output: part.output });
    }
  }
  return items;
}

export function openaiResponsesProblems(items: readonly ResponsesItem[]): string[] {
  const problems = jsonProblems(items);
  if (items.length === 0) problems.push("Missing required parameter: 'input'");
  const last = items.at(-1);
  if (last?.type === "reasoning" || (last?.type === "message" && last.role === "assistant"))
    problems.push("the input must end with something to answer");
  const calls = new Map<string, number>();
  const outputs = new Map<string, number>();
  items.forEach((item, index) => {
    if (item.type === "function_call") calls.set(item.call_id, (calls.get(item.call_id) ?? 0) + 1);
    if (item.type === "function_call_output") {
      outputs.set(item.call_id, (outputs.get(item.call_id) ?? 0) + 1);
      if (!calls.has(item.call_id))
        problems.push(`No tool call found for function call output with call_id ${item.call_id}.`);
    }
    problems.push(...itemProblems(item, items[index + 1]).map((each) => `input[${index}]: ${each}`));
  });
  for (const [id, count] of calls) {
    if (count > 1) problems.push(`Duplicate function call with call_id ${id}`);
    if (!outputs.has(id)) problems.push(`No tool output found for function call ${id}.`);
    if ((outputs.get(id) ?? 0) > 1) problems.push(`Duplicate function call output for call_id ${id}`);
  }
  return problems;
}

function itemProblems(item: ResponsesItem, next: ResponsesItem | undefined): string[] {
  switch (item.type) {
    case "message": {
      const type = item.role === "assistant" ? "output_text" : "input_text";
      if (!["user", "assistant"].includes(item.role)) return [`role: Invalid value: '${item.role}'`];
      if (item.content.some((content) => content.type !== type)) return [`content: Invalid value, expected '${type}'`];
      return item.content.some(({ text }) => isBlank(text)) ? ["content: empty text"] : [];
    }
    case "reasoning": {
      const follows =
        next?.type === "reasoning" ||
        next?.type === "function_call" ||
        (next?.type === "message" && next.role === "assistant");
      return follows ? [] : ["Item of type 'reasoning' was provided without its required following item."];
    }
    case "function_call":
      return callProblems(item);
    case "function_call_output":
      return item.call_id.length > 64 ? ["call_id: string too long. Expected maximum length 64"] : [];
  }
}

function callProblems(call: { call_id: string; name: string; arguments: string }): string[] {
  const problems: string[] = [];
  if (call.call_id === "" || call.call_id.length > 64)
    problems.push("call_id: string too long. Expected maximum length 64");
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(call.name)) problems.push("name: string does not match pattern '^[a-zA-Z0-9_-]+$'");
  try {
    if (!isPlainObject(JSON.parse(call.arguments))) problems.push("arguments: must be an object");
  } catch {
    problems.push("arguments: must be valid JSON");
  }
  return problems;
}
