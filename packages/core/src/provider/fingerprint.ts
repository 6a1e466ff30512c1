import type { ThinkingSegment, ToolCall } from "../session/entry.ts";
import { canonical, type Json } from "../values/json.ts";
import type { Message, Part, ThinkingPart, UserPart } from "./message.ts";

/** A collision-resistant hash of a text, as text. An argument, because core has no dependencies. */
export type Hash = (text: string) => string;

/**
 * The context that thinking is bound to: the system prompt and all messages of the request, without thinking, so that
 * leaving out one block does not invalidate the next. The runtime stores it as `prefix` with every thinking segment
 * that the request returns.
 */
export function prefixFingerprint(
  request: { readonly system: string; readonly messages: readonly Message[] },
  hash: Hash,
): string {
  const chain = new PrefixChain(request.system, hash);
  for (const { role, parts } of request.messages) {
    for (const part of parts) chain.add(role, part);
  }
  return chain.fingerprint;
}

/**
 * The step that thinking belongs to: its signed thinking, its text and its calls. It is stored as `answer` with the
 * step's thinking segments when the step ends. Where it is missing, the prefix alone decides.
 */
export function answerFingerprint(
  step: {
    readonly content: string;
    readonly tool_calls?: readonly ToolCall[];
    readonly thinking_segments?: readonly ThinkingSegment[];
  },
  hash: Hash,
): string {
  const calls = (step.tool_calls ?? []).map(({ id, name, input }): Json => [id, name, input]);
  const thinking = (step.thinking_segments ?? [])
    .filter(({ signature = "" }) => signature !== "")
    .map(({ text, signature = "", text_before = 0 }): Json => [text, signature, text_before]);
  return hash(canonical([step.content, calls, thinking]));
}

/** The call that a signature was made for; stored as `answer` with the signature. */
export function callFingerprint({ name, input }: ToolCall, hash: Hash): string {
  return hash(canonical([name, input]));
}

/**
 * How many characters are hashed at once. Many small hashes are slow; but looking ahead hashes all text since the last
 * link, so a link must not be too long either.
 */
const LINK_LENGTH = 4096;

/**
 * The fingerprint of a request that grows part by part: a chain of hashes. A link ends where an answer begins, because
 * fingerprints are needed there, and when it has become long.
 */
export class PrefixChain {
  readonly #hash: Hash;
  #link: string;
  #role: Message["role"] = "user";
  #pending = "";
  #fingerprint: string | undefined;

  constructor(system: string, hash: Hash) {
    this.#hash = hash;
    this.#link = hash(`system\n${system}`);
  }

  add(role: Message["role"], part: Part): void {
    if (part.type === "thinking") return;
    const answerBegins = role === "assistant" && this.#role === "user";
    if (answerBegins || this.#pending.length > LINK_LENGTH) {
      this.#link = this.fingerprint;
      this.#pending = "";
    }
    this.#role = role;
    this.#pending += visible(role, part);
    this.#fingerprint = undefined;
  }

  get fingerprint(): string {
    this.#fingerprint ??= this.#hash(this.#link + this.#pending);
    return this.#fingerprint;
  }

  /** Computes the fingerprint after a next user message with `part`. */
  fingerprintAfter(part: UserPart): string {
    return this.#hash(this.#link + this.#pending + visible("user", part));
  }
}

/** Writes lengths before texts, so that no text can imitate a boundary. */
function visible(role: Message["role"], part: Exclude<Part, ThinkingPart>): string {
  switch (part.type) {
    case "text":
      return `\n${role} text ${part.text.length} ${part.text}`;
    case "image":
      return `\n${role} image ${part.digest}`;
    case "tool-call":
      return `\n${role} call ${part.call_id} ${part.name} ${canonical(part.input)}`;
    case "tool-result":
      return `\n${role} result ${part.call_id} ${part.name} ${part.is_error} ${part.output.length} ${part.output}`;
  }
}
