import type { LanguageModelV4CallOptions, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { Message, ThinkingPart } from "@retake/core";
import type { ModelRequest } from "./model.ts";

/** The peculiarities of a provider; everything else is the same for all. */
export interface Dialect {
  /** The name shown to users. */
  readonly label: string;
  /** Whether images are sent; also when it is unknown whether the model accepts them. */
  readonly images: boolean;
  /** The endpoint may accept only one text in a message. */
  readonly joinsTexts?: true;
  /** Marks the end of the part that the provider should cache; without one the provider decides itself. */
  readonly cacheMark?: SharedV4ProviderMetadata;
  readonly callOptions?: (request: ModelRequest) => Pick<LanguageModelV4CallOptions, "reasoning" | "providerOptions">;
  /** The messages without parts that the provider would refuse in this call. */
  readonly messages?: (request: ModelRequest) => readonly Message[];
  /** Whether to repeat the request at once in another form, because the endpoint refused something optional. */
  readonly adapts?: (refusal: string) => boolean;
  /** Thinking and calls with their proofs, in the form in which they are sent back. */
  readonly sendThinking?: (part: ThinkingPart) => SharedV4ProviderMetadata;
  readonly sendCallProof?: (signature: string) => SharedV4ProviderMetadata;
  /** The proofs, as they arrive. `ended`: the thinking is complete, so nothing more will arrive. */
  readonly thinkingProof?: (metadata: SharedV4ProviderMetadata | undefined, ended: boolean) => Proof | undefined;
  /** The kinds of events, where the provider may add more: an event of another kind is ignored. */
  readonly events?: ReadonlySet<string>;
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
