import type { Projection } from "../project-messages.ts";
import { isBlank, isPlainObject, jsonProblems } from "./json-rules.ts";

export interface GeminiContent {
  readonly role: string;
  readonly parts: readonly GeminiPart[];
}

export interface GeminiPart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly functionCall?: { readonly name: string; readonly args: unknown };
  readonly functionResponse?: { readonly name: string; readonly response: unknown };
}

/** Google documents this value for calls that were not made by the model, and the AI SDK fills it in. */
export const UNSIGNED = "skip_thought_signature_validator";

/** As in the AI SDK: the results are a content of their own, before the user's text. */
export function toGemini(sent: Projection): GeminiContent[] {
  const contents: GeminiContent[] = [];
  for (const message of sent.messages) {
    if (message.role === "assistant") {
      const parts = message.parts.map((part): GeminiPart => {
        if (part.type === "text") return { text: part.text };
        if (part.type === "thinking") return { text: part.text, thought: true, thoughtSignature: part.signature };
        return { functionCall: { name: part.name, args: part.input }, thoughtSignature: part.signature ?? UNSIGNED };
      });
      contents.push({ role: "model", parts });
      continue;
    }
    const results: GeminiPart[] = [];
    const texts: GeminiPart[] = [];
    for (const part of message.parts) {
      if (part.type === "text") texts.push({ text: part.text });
      else if (part.type === "tool-result")
        results.push({ functionResponse: { name: part.name, response: { name: part.name, content: part.output } } });
    }
    if (results.length > 0) contents.push({ role: "user", parts: results });
    if (texts.length > 0) contents.push({ role: "user", parts: texts });
  }
  return contents;
}

export function geminiProblems(contents: readonly GeminiContent[]): string[] {
  const problems = jsonProblems(contents);
  if (contents.length === 0) problems.push("contents are required");
  if (contents[0] && contents[0].role !== "user")
    problems.push("Please ensure that the first content has the user role.");
  if (contents.at(-1)?.role === "model")
    problems.push("Please ensure that multiturn requests end with a user role or a function response.");
  contents.forEach((content, index) => {
    const at = `contents[${index}]`;
    const previous = contents[index - 1];
    if (content.role !== "user" && content.role !== "model")
      problems.push(`${at}: Please use a valid role: user, model.`);
    if (content.parts.length === 0) problems.push(`${at}.parts: contents.parts must not be empty.`);
    if (content.role === "model" && previous?.role === "model")
      problems.push(`${at}: Please ensure that multiturn requests alternate between user and model.`);
    for (const part of content.parts)
      problems.push(...partProblems(part, content.role).map((each) => `${at}: ${each}`));
    problems.push(...turnProblems(content, contents[index + 1], previous).map((each) => `${at}: ${each}`));
  });
  return problems;
}

function partProblems(part: GeminiPart, role: string): string[] {
  const { text, thought, functionCall, functionResponse } = part;
  const problems: string[] = [];
  if ([text, functionCall, functionResponse].filter((each) => each !== undefined).length !== 1)
    problems.push("required oneof field 'data' must have one initialized field");
  if (text !== undefined && !thought && isBlank(text)) problems.push("must have a non-empty text");
  for (const call of [functionCall, functionResponse]) {
    if (call && !/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(call.name))
      problems.push("Invalid function name. Must start with a letter or an underscore.");
  }
  if (functionCall && !isPlainObject(functionCall.args)) problems.push("args: must be a Struct");
  if (functionResponse && !isPlainObject(functionResponse.response)) problems.push("response: must be a Struct");
  if (functionCall && role !== "model") problems.push("a function call must have the model role");
  if (functionCall && !part.thoughtSignature)
    problems.push("Function call is missing a thought_signature in functionCall parts.");
  if (functionResponse && role !== "user") problems.push("a function response must have the user role");
  return problems;
}

function turnProblems(
  content: GeminiContent,
  next: GeminiContent | undefined,
  previous: GeminiContent | undefined,
): string[] {
  const problems: string[] = [];
  const calls = content.parts.flatMap(({ functionCall }) => (functionCall ? [functionCall.name] : []));
  const responses = content.parts.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse.name] : []));
  if (calls.length > 0) {
    if (previous?.role !== "user")
      problems.push(
        "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
      );
    const answers = (next?.parts ?? []).flatMap(({ functionResponse }) =>
      functionResponse ? [functionResponse.name] : [],
    );
    if (answers.length !== calls.length)
      problems.push(
        "Please ensure that the number of function response parts is equal to the number of function call parts.",
      );
    // Gemini pairs calls and responses by name and position.
    else if (answers.some((name, index) => name !== calls[index])) problems.push("function responses are out of order");
  }
  if (responses.length > 0) {
    if (!previous?.parts.some(({ functionCall }) => functionCall))
      problems.push("Please ensure that function response turn comes immediately after a function call turn.");
    if (responses.length !== content.parts.length)
      problems.push("a function response turn holds only function responses");
  }
  return problems;
}
