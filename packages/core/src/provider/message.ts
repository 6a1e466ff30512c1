import type { JsonObject } from "../values/json.ts";

/**
 * What a provider is sent, in a shape no provider owns: Anthropic's, because it is the strictest. The
 * results of a step's calls lead the user message that follows it; the AI SDK's `tool` message is
 * those parts, and its `user` message the rest.
 *
 * `entry_id` is the entry a part comes from. It is never sent; a part that no entry says has none.
 */
export type Message = AssistantMessage | UserMessage;

export interface AssistantMessage {
  readonly role: "assistant";
  /** Thinking and text in the order in which they were made, then calls; never thinking last. */
  readonly parts: readonly AssistantPart[];
}

export interface UserMessage {
  readonly role: "user";
  /** The results of all calls of the message before, in the order of the calls; then images and text. */
  readonly parts: readonly UserPart[];
}

export type AssistantPart = ThinkingPart | TextPart | ToolCallPart;
export type UserPart = ToolResultPart | TextPart | ImagePart;
export type Part = AssistantPart | UserPart;

export interface TextPart {
  readonly type: "text";
  readonly text: string;
  readonly entry_id?: string;
}

export interface ThinkingPart {
  readonly type: "thinking";
  readonly text: string;
  readonly signature: string;
  /** The provider hid the text; `signature` is its opaque data. */
  readonly redacted?: true;
  readonly entry_id: string;
}

export interface ToolCallPart {
  readonly type: "tool-call";
  readonly call_id: string;
  readonly name: string;
  readonly input: JsonObject;
  /** A provider's proof that the call is the model's own (Gemini's thought signature). */
  readonly signature?: string;
  readonly entry_id: string;
}

export interface ToolResultPart {
  readonly type: "tool-result";
  readonly call_id: string;
  readonly name: string;
  readonly output: string;
  readonly is_error: boolean;
  /** The result's entry, or the call's where the conversation holds no result. */
  readonly entry_id: string;
}

/** An image by its name: the runtime has its bytes, and core only needs to know whether it is the same one. */
export interface ImagePart {
  readonly type: "image";
  readonly path: string;
  readonly media_type: string;
  /** Hash of the bytes. */
  readonly digest: string;
  /** Why it cannot be shown to any model; the model is told so in its place. */
  readonly problem?: string;
  readonly entry_id?: undefined;
}

/** For a request to a provider that rejects its own earlier proofs, for instance because they are another account's. */
export function withoutProofs(messages: readonly Message[]): Message[] {
  return withoutThinking(messages).map((message) => {
    if (message.role !== "assistant") return message;
    const parts = message.parts.map((part) => {
      if (part.type !== "tool-call") return part;
      const { signature: _, ...call } = part;
      return call;
    });
    return { role: "assistant", parts };
  });
}

/**
 * For a request that is made with thinking turned off, because the user wants none or the projection
 * says `off`: Anthropic then refuses thinking in the last answer. No fingerprint changes.
 */
export function withoutThinking(messages: readonly Message[]): Message[] {
  return messages.map((message) =>
    message.role === "assistant"
      ? { role: "assistant", parts: message.parts.filter((part) => part.type !== "thinking") }
      : message,
  );
}
