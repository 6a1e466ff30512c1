import { createHash } from "node:crypto";
import type { JsonObject } from "@retake/core";
import { type GeminiContent, geminiProblems, UNSIGNED } from "@retake/core/provider-rules";
import { type Chunk, event, inputText, pieces, type ScriptedAnswer } from "./answer-script.ts";
import { type Protocol, toolProblems } from "./protocol.ts";

/** Gemini. The first call of an answer is signed; Gemini 3 refuses a signature that is missing or not its own. */
export const geminiProtocol: Protocol = {
  path: /^\/v1beta\/models\/[^/]+:streamGenerateContent\?alt=sse$/,
  modelOf: (_, path) => /models\/([^:]+):/.exec(path)?.[1] ?? "",
  keyOf: (headers) => String(headers["x-goog-api-key"]),
  problems: (body, model) => {
    const contents = wireContents(body);
    const known = contents.map((content) =>
      STRICT.test(model) ? withFirstSignature(content) : withAnySignature(content),
    );
    return [...bodyProblems(body, model), ...geminiProblems(known), ...signatureProblems(contents)];
  },
  chunks: (answer, body, model) => [...chunks(answer, body, model)],
  errorBody: (status, message) => ({ error: { code: status, message, status: STATUS[status] ?? "INTERNAL" } }),
  errorEvent: (type, message) => event({ error: { code: 503, message, status: type } }),
};

const STRICT = /^gemini-3/;
const STATUS: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

type Part = GeminiContent["parts"][number] & { readonly inlineData?: unknown };

function wireContents(body: JsonObject): GeminiContent[] {
  const contents = (body["contents"] ?? []) as unknown as { role: string; parts: Part[] }[];
  return contents.map(({ role, parts }) => ({
    role,
    parts: parts.map((part) => (part.inlineData === undefined ? part : { text: "(image)" })),
  }));
}

function bodyProblems(body: JsonObject, model: string): string[] {
  const declared = ((body["tools"] ?? []) as { functionDeclarations?: { name: unknown }[] }[]).flatMap(
    ({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name),
  );
  const thinking = (body["generationConfig"] as { thinkingConfig?: unknown } | undefined)?.thinkingConfig;
  return [
    ...toolProblems(declared),
    ...(thinking !== undefined && /^gemini-[12]\.0/.test(model) ? ["Thinking is not supported by this model."] : []),
  ];
}

/** Only the first call of parallel ones carries a signature. */
function withFirstSignature(content: GeminiContent): GeminiContent {
  const first = content.parts.findIndex(({ functionCall }) => functionCall);
  return {
    ...content,
    parts: content.parts.map((part, index) =>
      part.functionCall && index > first ? { ...part, thoughtSignature: UNSIGNED } : part,
    ),
  };
}

/** Earlier models sign nothing. */
function withAnySignature(content: GeminiContent): GeminiContent {
  const parts = content.parts.map((part) => (part.functionCall ? { ...part, thoughtSignature: UNSIGNED } : part));
  return { ...content, parts };
}

function signatureProblems(contents: readonly GeminiContent[]): string[] {
  return contents.flatMap(({ parts }, index) =>
    parts.flatMap((part) => {
      if (part.thoughtSignature === undefined || part.thoughtSignature === UNSIGNED) return [];
      const call = part.functionCall;
      return call && part.thoughtSignature === sign(contents.slice(0, index), call.name, call.args)
        ? []
        : [`contents[${index}]: Thought signature is not valid.`];
    }),
  );
}

function sign(before: readonly GeminiContent[], name: string, args: unknown): string {
  const said = before.map(({ role, parts }) => [
    role,
    parts.flatMap(({ thought, thoughtSignature: _, ...part }) => (thought ? [] : [part])),
  ]);
  return createHash("sha256")
    .update(JSON.stringify([said, name, args]))
    .digest("base64");
}

function* chunks({ blocks = [], stop = "end" }: ScriptedAnswer, body: JsonObject, model: string): Generator<Chunk> {
  const chunk = (part: object) => event({ candidates: [{ content: { role: "model", parts: [part] }, index: 0 }] });
  const before = wireContents(body);
  let called = false;
  yield { kind: "start", text: event({ usageMetadata: { promptTokenCount: 100 } }) };
  for (const each of blocks) {
    if (each.type === "thinking")
      for (const text of pieces(each.text)) yield { kind: "thinking", text: chunk({ text, thought: true }) };
    if (each.type === "text") for (const text of pieces(each.text)) yield { kind: "text", text: chunk({ text }) };
    if (each.type !== "call") continue;
    const args = typeof each.input === "string" ? each.input : JSON.parse(inputText(each.input));
    const signed = STRICT.test(model) && !called ? { thoughtSignature: sign(before, each.name, args) } : {};
    called = true;
    yield { kind: "arguments", text: chunk({ functionCall: { id: each.id, name: each.name, args }, ...signed }) };
  }
  const usageMetadata = {
    promptTokenCount: 100,
    cachedContentTokenCount: 40,
    candidatesTokenCount: 12,
    totalTokenCount: 112,
  };
  const finishReason = { end: "STOP", length: "MAX_TOKENS", refused: "SAFETY" }[stop];
  yield {
    kind: "end",
    text: event({ candidates: [{ content: { role: "model", parts: [] }, finishReason, index: 0 }], usageMetadata }),
  };
}
