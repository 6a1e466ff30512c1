import {
  type LanguageModelV4FinishReason,
  type LanguageModelV4StreamPart,
  type LanguageModelV4Usage,
  TypeValidationError,
} from "@ai-sdk/provider";
import {
  foreignProblem,
  isObject,
  type JsonObject,
  MAX_NAME,
  type ModelPart,
  nameProblem,
  type ToolCall,
  textProblem,
  type Usage,
} from "@retake/core";
import type { Dialect, Proof } from "./dialect.ts";
import type { ModelEnd } from "./model.ts";
import { failed, providerError } from "./provider-error.ts";
import { WholeCharacters } from "./whole-characters.ts";

/**
 * Reads one answer of the AI SDK's stream: parts as they arrive, and how it ended. An answer counts only when the
 * provider says that it is complete; a stream that just stops is a broken connection, however cleanly it closed.
 */
export class AnswerReader {
  readonly #dialect: Dialect;
  readonly #nameOf: (offered: string) => string;
  readonly #calls: ToolCall[] = [];
  readonly #text = new WholeCharacters();
  readonly #thinking = new WholeCharacters();
  /** Whether thinking was shown that its proof has not closed yet. */
  #openThinking = false;
  #lastProof: string | undefined;
  end: ModelEnd | undefined;

  /** `nameOf`: the tool's own name, when it was offered under another. */
  constructor(dialect: Dialect, nameOf: (offered: string) => string) {
    this.#dialect = dialect;
    this.#nameOf = nameOf;
  }

  read(part: LanguageModelV4StreamPart): ModelPart[] {
    switch (part.type) {
      case "text-delta":
        return said("text", this.#text.push(part.delta));
      case "text-end":
        return said("text", this.#text.end());
      case "reasoning-start":
        // Some models think in several paragraphs, announce each as new, and prove all of them at the end.
        return [...this.#thought(this.#openThinking ? "\n\n" : ""), ...this.#proven(part.providerMetadata, false)];
      case "reasoning-delta":
        return [...this.#thought(this.#thinking.push(part.delta)), ...this.#proven(part.providerMetadata, false)];
      case "reasoning-end":
        return [...this.#thought(this.#thinking.end()), ...this.#proven(part.providerMetadata, true)];
      case "tool-call":
        this.#called(part);
        return [];
      case "error":
        if (this.#isUnknownEvent(part.error)) return [];
        this.end = providerError(part.error, this.#dialect.label, Date.now());
        return [];
      case "finish":
        this.end = this.#finish(part.finishReason, part.usage);
        return [];
      default:
        return [];
    }
  }

  /** The SDK refuses all that it does not know. */
  #isUnknownEvent(error: unknown): boolean {
    if (!TypeValidationError.isInstance(error) || !isObject(error.value)) return false;
    const { type } = error.value;
    return typeof type === "string" && this.#dialect.events?.has(type) === false;
  }

  #thought(text: string): ModelPart[] {
    if (text !== "") this.#openThinking = true;
    return said("thinking", text);
  }

  #proven(metadata: Parameters<NonNullable<Dialect["thinkingProof"]>>[0], ended: boolean): ModelPart[] {
    const proof: Proof | undefined = this.#dialect.thinkingProof?.(metadata, ended);
    // The same proof again belongs to the same thinking, whose paragraphs end one by one.
    if (!proof || (!this.#openThinking && proof.signature === this.#lastProof)) return [];
    this.#openThinking = false;
    this.#lastProof = proof.signature;
    return [{ kind: "thinking", text: "", ...proof }];
  }

  #called(part: Extract<LanguageModelV4StreamPart, { type: "tool-call" }>): void {
    const input = inputIn(part.input);
    // The proof is of the call as it arrived; a call that cannot be parsed is not sent back in that form.
    const signature = input && this.#dialect.callProof?.(part.providerMetadata);
    const call: ToolCall = {
      // The agent gives an id to a call without one.
      id: textProblem(part.toolCallId, MAX_NAME) === undefined ? part.toolCallId : "",
      name: nameProblem(part.toolName) === undefined ? this.#nameOf(part.toolName) : "unknown",
      input: input ?? {},
      ...(input ? {} : { invalid_input: part.input.slice(0, MAX_INVALID).toWellFormed() }),
      ...(signature === undefined ? {} : { signature }),
    };
    this.#calls.push(call);
  }

  #finish({ unified, raw }: LanguageModelV4FinishReason, usage: LanguageModelV4Usage): ModelEnd {
    const { label } = this.#dialect;
    if (unified === "error")
      return failed("server", `${label} failed in the middle of the answer. (${raw ?? "no reason given"})`);
    if (unified === "interrupted" || (unified === "other" && raw === undefined)) {
      return failed("network", `The connection to ${label} ended in the middle of the answer.`);
    }
    const cutOff = unified === "length" || raw === "model_context_window_exceeded";
    // The limit may fall into the middle of a call, whose meaning is then unknown.
    const calls = cutOff ? this.#calls.filter((call) => call["invalid_input"] === undefined) : this.#calls;
    const stop = cutOff ? "length" : unified === "content-filter" ? "refused" : calls.length > 0 ? "tool-calls" : "end";
    return { kind: "responded", stop, calls, usage: usageOf(usage) };
  }
}

/** How much of an invalid input is kept, so that the model can see its mistake. */
const MAX_INVALID = 2000;

function said(kind: "text" | "thinking", text: string): ModelPart[] {
  return text === "" ? [] : [{ kind, text }];
}

/** A call without arguments arrives as an empty text. Anything but an object that can be stored is invalid. */
function inputIn(text: string): JsonObject | undefined {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && foreignProblem(value) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `input_tokens` are those not read from a cache, so that each number has its own price. */
function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  const { total, noCache, cacheRead, cacheWrite } = inputTokens;
  const fresh = noCache ?? (total === undefined ? undefined : total - (cacheRead ?? 0) - (cacheWrite ?? 0));
  const counts = {
    input_tokens: fresh,
    output_tokens: outputTokens.total,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => Number.isFinite(count))) as Usage;
}
