import type { ModelErrorCode } from "@retake/core";
import { NoEventStreamError } from "./event-stream.ts";
import type { ModelEnd } from "./model.ts";
import { retryAfter } from "./retry-after.ts";
import { StalledError } from "./watched-fetch.ts";

type Failed = Extract<ModelEnd, { kind: "failed" }>;

/**
 * Translates a failed call into the agent's terms. Errors come from the AI SDK for an unsuccessful answer, as error
 * parts of a stream, and from `fetch`. All are classified by their text, because an endpoint that only resembles a
 * provider uses its own words.
 */
export function providerError(error: unknown, label: string, now: number): Failed {
  const stalled = withCauses(error).find((each) => each instanceof StalledError);
  if (stalled) return failed("stalled", `${label} stopped answering. ${stalled.message}`);
  const { status, text, headers, body } = looksOf(error);
  const code = codeOf(status, text, error);
  const wait = MAY_WAIT.has(code) ? retryAfter({ headers, body, now }) : undefined;
  const said = status === undefined ? text : `${status}: ${text}`;
  return {
    ...failed(code, `${label} ${WORDS[code]} (${cut(said)})`),
    ...(wait === undefined ? {} : { retry_after_ms: wait }),
  };
}

export function failed(code: ModelErrorCode, message: string): Failed {
  return { kind: "failed", code, message };
}

const MAY_WAIT: ReadonlySet<ModelErrorCode> = new Set(["rate-limited", "overloaded", "server"]);

const WORDS: Record<ModelErrorCode, string> = {
  "rate-limited": "limits how much may be asked.",
  overloaded: "is overloaded.",
  server: "failed to answer.",
  network: "could not be reached, or the connection broke.",
  stalled: "stopped answering.",
  "invalid-key": "does not accept the key.",
  "out-of-credit": "says that the account has no credit left.",
  "over-budget": "was not asked: the budget is used.",
  "unknown-model": "does not know this model, or not at this address.",
  "context-overflow": "says that the conversation is too long for this model.",
  "empty-answer": "answered with nothing.",
  refused: "declines to answer this.",
  "invalid-signature": "does not accept the proof of its earlier thinking.",
  "invalid-image": "does not accept an image in the conversation.",
  "invalid-request": "does not accept the request.",
};

interface Looks {
  readonly status?: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

function looksOf(error: unknown): Looks {
  if (typeof error !== "object" || error === null) return { text: String(error), headers: {}, body: undefined };
  const { message, statusCode, responseHeaders, responseBody, data, type, code } = error as Record<string, unknown>;
  const nested = (data as { error?: { message?: unknown; code?: unknown; type?: unknown } } | undefined)?.error;
  const words = [
    message ?? nested?.message,
    type ?? nested?.type,
    code ?? nested?.code,
    ...(data === undefined ? wordsOf(responseBody) : []),
  ];
  const text = [...new Set(words.filter((word) => typeof word === "string" && word !== ""))].join(", ");
  return {
    // The status of a success that could not be read to its end says nothing.
    ...(typeof statusCode === "number" && statusCode >= 400 ? { status: statusCode } : {}),
    text: [
      text === "" ? (JSON.stringify(error) ?? "") : text,
      ...withCauses(error)
        .slice(1)
        .map((each) => each.message),
    ].join(": "),
    headers: (responseHeaders ?? {}) as Looks["headers"],
    body: data ?? responseBody,
  };
}

/** The words of a refusal in another form than the provider's: servers that resemble it, gateways and proxies. */
function wordsOf(body: unknown): unknown[] {
  if (typeof body !== "string" || body.trimStart().startsWith("<")) return [];
  const parsed = jsonOf(body);
  if (typeof parsed !== "object") return [body.trim()];
  const { error, message, detail, type, code } = (Array.isArray(parsed) ? parsed[0] : parsed) ?? {};
  return [error?.message ?? error, message, detail, error?.type ?? type, error?.code ?? code];
}

function jsonOf(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An error and the chain of its causes; the SDK wraps errors of `fetch`. */
function withCauses(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let each = error; each instanceof Error && chain.length < 5; each = each.cause) chain.push(each);
  return chain;
}

function codeOf(status: number | undefined, text: string, error: unknown): ModelErrorCode {
  for (const [look, code] of LOOKS) if (look.test(text)) return code;
  if (status === undefined) return isMalformed(error) ? "server" : "network";
  return STATUS.get(status) ?? (status >= 500 ? "server" : "invalid-request");
}

/** An answer that arrived and could not be read is the provider's fault, not the connection's. */
function isMalformed(error: unknown): boolean {
  if (withCauses(error).some((each) => each instanceof NoEventStreamError)) return true;
  const name = error instanceof Error ? error.name : "";
  const isOurs = ["AI_JSONParseError", "AI_TypeValidationError", "AI_InvalidResponseDataError"].includes(name);
  return isOurs || !(error instanceof Error) || name === "AI_EmptyResponseBodyError";
}

const STATUS: ReadonlyMap<number, ModelErrorCode> = new Map([
  [401, "invalid-key"],
  [402, "out-of-credit"],
  [403, "invalid-key"],
  [404, "unknown-model"],
  [408, "server"],
  [409, "server"],
  [413, "context-overflow"],
  [429, "rate-limited"],
  [503, "overloaded"],
  [529, "overloaded"],
]);

/** Words that say more than the status: the same 400 can mean a wrong key, a long conversation or a refusal. */
const LOOKS: readonly (readonly [RegExp, ModelErrorCode])[] = [
  // Google says "exceeded your current quota" of its limits for a minute too; OpenAI adds this code where no credit is left.
  [/insufficient_quota|credit balance is too low|insufficient balance/i, "out-of-credit"],
  [
    /api key not valid|api_key_invalid|invalid_api_key|incorrect api key|invalid x-api-key|authentication_error/i,
    "invalid-key",
  ],
  [
    /context_length_exceeded|maximum context length|context (?:length|window|limit|size)|prompt is too long/i,
    "context-overflow",
  ],
  [
    /input token count.{0,80}exceeds|request_too_large|too many (?:input )?tokens in the (?:prompt|request)/i,
    "context-overflow",
  ],
  [/invalid `?(?:signature|data)`? in `?(?:redacted_)?thinking|thought.?signature is not valid/i, "invalid-signature"],
  [/corrupted thought.?signature|invalid_encrypted_content|encrypted content .{0,200}not be/i, "invalid-signature"],
  [/image dimensions exceed|image exceeds|(?:could not|unable to) process (?:input )?image/i, "invalid-image"],
  [/image input|not support images?|(?:invalid|unsupported) image|image_parse_error|invalid_image/i, "invalid-image"],
  [/content_policy|content_filter|content management policy|prohibited_content|safety system/i, "refused"],
  [/model_not_found|model .{0,200}(?:does not exist|not found)|not_found_error/i, "unknown-model"],
  [/overloaded_error|\boverloaded\b|currently unavailable/i, "overloaded"],
  [/rate_limit_error|rate_limit_exceeded|resource_exhausted/i, "rate-limited"],
];

function cut(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 500 ? line : `${line.slice(0, 500).toWellFormed()}…`;
}
