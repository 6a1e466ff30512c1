import type { JsonObject, Message, ModelErrorCode, ModelPart, ToolCall, Usage } from "@retake/core";

/**
 * A model of any provider. It remembers nothing: every request contains the whole conversation (D6). Its answer arrives
 * as parts; the last item tells how it ended. When aborted it yields nothing more, not even the end.
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
  /** How many tokens it may think, where that is set by a budget; 0 turns thinking off. */
  readonly thinking_budget?: number;
  /** Whether the model may think before it answers; see `Projection`. */
  readonly thinking: "allowed" | "off";
  /** The number of this turn in its take, and of this step in its turn, both from 1: scripts use them. */
  readonly turn: number;
  readonly step: number;
  /** The bytes of the images that the messages name, by digest. */
  readonly images?: ReadonlyMap<string, Uint8Array>;
  /** The last message asks for a summary of the others, or for a title; the embedded model answers them by this alone. */
  readonly purpose?: "compress" | "title";
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
