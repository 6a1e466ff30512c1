import type { LanguageModelV4CallOptions, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { Message, ThinkingPart } from "@retake/core";
import type { ModelRequest } from "./model.ts";

/** What is particular to a provider; everything else is the same for all of them. */
export interface Dialect {
  /** As a user reads it. */
  readonly label: string;
  /** Whether images are sent; where nobody knows whether the model takes them, they are. */
  readonly images: boolean;
  /** The endpoint may take only one text in a message. */
  readonly joinsTexts?: true;
  /** Marks the end of what the provider should remember of the request; without one it does so by itself. */
  readonly cacheMark?: SharedV4ProviderMetadata;
  readonly callOptions?: (request: ModelRequest) => Pick<LanguageModelV4CallOptions, "reasoning" | "providerOptions">;
  /** The messages without what the provider would refuse in this call. */
  readonly messages?: (request: ModelRequest) => readonly Message[];
  /** Whether the request is worth making again at once, in another way: the endpoint refused something it can do without. */
  readonly adapts?: (refusal: string) => boolean;
  /** Thinking and calls with their proofs, as they are sent back. */
  readonly sendThinking?: (part: ThinkingPart) => SharedV4ProviderMetadata;
  readonly sendCallProof?: (signature: string) => SharedV4ProviderMetadata;
  /** The proofs, as they come. `ended`: the thinking is complete, so what has not come will not. */
  readonly thinkingProof?: (metadata: SharedV4ProviderMetadata | undefined, ended: boolean) => Proof | undefined;
  readonly callProof?: (metadata: SharedV4ProviderMetadata | undefined) => string | undefined;
}

export interface Proof {
  readonly signature: string;
  /** The provider hides the text; the signature is its data. */
  readonly redacted?: true;
}

/** A text in a provider's metadata. */
export function metadataText(
  metadata: SharedV4ProviderMetadata | undefined,
  provider: string,
  name: string,
): string | undefined {
  const value = metadata?.[provider]?.[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
