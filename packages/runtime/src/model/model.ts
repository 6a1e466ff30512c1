import type { JsonObject, Message, ModelErrorCode, ModelPart, ToolCall, Usage } from "@retake/core";

/**
 * A model, whoever makes it. It remembers nothing: every request holds the whole conversation (D6).
 * What it says arrives as parts; the last thing it says is how it ended. Aborted, it says nothing
 * more, not even that: whoever aborts knows.
 */
export interface Model {
  /** `provider/model`. */
  readonly name: string;
  stream(request: ModelRequest): AsyncIterable<ModelPart | ModelEnd>;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly input: JsonObject }[];
  readonly temperature: number;
  readonly top_p: number;
  readonly max_tokens: number;
  /** Whether the model may think before it answers; see `Projection`. */
  readonly thinking: "allowed" | "off";
  /** The number of this turn in its take, and of this step in its turn, both from 1: scripts are played by them. */
  readonly turn: number;
  readonly step: number;
  /** The bytes of the images that the messages name, by digest. */
  readonly images?: ReadonlyMap<string, Uint8Array>;
  /** The last message asks for a summary of the others; a model that needs no telling may pass it over. */
  readonly purpose?: "compress";
  readonly signal: AbortSignal;
}

export type ModelEnd =
  | {
      readonly kind: "responded";
      readonly stop: "end" | "tool-calls" | "length" | "refused";
      readonly calls: readonly ToolCall[];
      readonly usage: Usage;
    }
  | {
      readonly kind: "failed";
      readonly code: ModelErrorCode;
      readonly message: string;
      readonly retry_after_ms?: number;
    };
