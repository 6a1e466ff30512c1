import { type Hash, PrefixChain } from "./fingerprint.ts";
import type { AssistantPart, Message, UserPart } from "./message.ts";

type Draft = { role: "assistant"; parts: AssistantPart[] } | { role: "user"; parts: UserPart[] };

/**
 * Messages under construction: neighbouring parts of one role share a message, and the fingerprint is updated with each
 * part.
 */
export class MessageList {
  readonly #messages: Draft[] = [];
  readonly #chain: PrefixChain;

  constructor(system: string, hash: Hash) {
    this.#chain = new PrefixChain(system, hash);
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get last(): Message | undefined {
    return this.#messages.at(-1);
  }

  /** The fingerprint of the system prompt and all added parts, without thinking. */
  get fingerprint(): string {
    return this.#chain.fingerprint;
  }

  /** The fingerprint if the user said `part` next. */
  fingerprintAfter(part: UserPart): string {
    return this.#chain.fingerprintAfter(part);
  }

  addUser(part: UserPart): void {
    const last = this.#messages.at(-1);
    if (last?.role === "user") last.parts.push(part);
    else this.#messages.push({ role: "user", parts: [part] });
    this.#chain.add("user", part);
  }

  addAssistant(part: AssistantPart): void {
    const last = this.#messages.at(-1);
    if (last?.role === "assistant") last.parts.push(part);
    else this.#messages.push({ role: "assistant", parts: [part] });
    this.#chain.add("assistant", part);
  }
}
