import type { JsonObject } from "../values/json.ts";

/**
 * The messages of a request, in a form independent of any provider. It follows Anthropic's, the strictest. The results
 * of a step's calls come first in the user message after the step. In the AI SDK those parts form the `tool` message,
 * and the rest the `user` message.
 *
 * `entry_id` names the entry that a part comes from. It is never sent; a part that comes from no entry has none.
 */
export type Message = AssistantMessage | UserMessage;

export interface AssistantMessage {
  readonly role: "assistant";
  /** Thinking and text in the order in which they were made, then calls; thinking is never last. */
  readonly parts: readonly AssistantPart[];
}

export interface UserMessage {
  readonly role: "user";
  /** The results of all calls of the previous message, in the order of the calls; then images and text. */
  readonly parts: readonly UserPart[];
}

export type AssistantPart = ThinkingPart | TextPart | ToolCallPart;
export type UserPart = ToolResultPart | TextPart | ImagePart;
export type Part = AssistantPart | UserPart;

export interface TextPart {
  readonly type: "text";
  readonly text: string;
  /** Not the entry's own text, but instructions or a file that is attached to it. */
  readonly attached?: true;
  readonly entry_id?: string;
}

export interface ThinkingPart {
  readonly type: "thinking";
  readonly text: string;
  readonly signature: string;
  /** The provider hid the text; `signature` holds its opaque data. */
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
  /** The result's entry, or the call's entry when the conversation holds no result. */
  readonly entry_id: string;
}

/** An image by its name: the runtime holds the bytes, and core only compares images. */
export interface ImagePart {
  readonly type: "image";
  readonly path: string;
  readonly media_type: string;
  /** Hash of the bytes. */
  readonly digest: string;
  /** Why no model can be shown the image; the message then says so instead. */
  readonly problem?: string;
  readonly entry_id?: undefined;
}

/**
 * Prepares a request to a provider that rejects its own earlier proofs, for instance because they belong to another
 * account.
 */
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
 * Prepares a request with thinking turned off, because the user wants none or the projection says `off`: Anthropic then
 * refuses thinking in the last answer. No fingerprint changes.
 */
export function withoutThinking(messages: readonly Message[]): Message[] {
  return messages.map((message) =>
    message.role === "assistant"
      ? { role: "assistant", parts: message.parts.filter((part) => part.type !== "thinking") }
      : message,
  );
}
