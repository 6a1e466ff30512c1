import { type Attachment, attachmentsOf } from "../session/attachment.ts";
import { AI, type Entry, USER } from "../session/entry.ts";
import { type AttachedContents, AttachedContext, markedAsAttached } from "./attached-context.ts";
import type { Hash } from "./fingerprint.ts";
import type { Message, TextPart } from "./message.ts";
import { MessageList } from "./message-list.ts";
import { isResult, type PairedCall, type Pairing, pairTools, type ResultEntry } from "./pair-tools.ts";
import { type Repair, repair } from "./repair.ts";
import { resultPart } from "./result-part.ts";
import { sendableInput } from "./sendable-input.ts";
import { sendableToolName } from "./sendable-name.ts";
import { callAsText, resultAsText, roleLabel, saysSomething } from "./sendable-text.ts";
import { answerParts, type RequestPosition, sendableSignature, sendableThinking } from "./sendable-thinking.ts";

/**
 * Turns entries into messages that every provider accepts, whatever edits were made to the entries.
 *
 *     User         "fix it"             user       text
 *     AI           thinks, calls 1, 2   assistant  thinking, text, call 1, call 2
 *     Tool         result 2          ┐  user       result 1, result 2,
 *     User         "and that"        │             text
 *     Tool         result 1          ┘
 *     AI           "done"               assistant  text
 *
 * It is one walk in the order of the conversation, after `pairTools` has matched results and calls. Three rules keep it
 * simple:
 *
 * - Results are written with their step, not at their own position. So a step with calls is always followed by the user
 *   message that holds its results, and the user's next text is added to that message.
 * - Parts are only added at the end. So when the walk reaches an answer, the fingerprint of all that precedes it is
 *   known, and its thinking can be judged at once.
 * - Only the last line ("Continue.") depends on where the conversation ends. So a new entry adds messages, or parts to
 *   the last one, and the provider's cache of the others stays valid.
 *
 * Texts are never trimmed: the model reads what the user wrote (D6). Providers refuse trailing whitespace only in an
 * answer that ends a request, and no request ends with one.
 */
export function projectMessages(input: ProjectionInput): Projection {
  const entries = input.entries.filter(({ failed }) => failed !== true);
  const projector = new Projector({ ...input, entries });
  entries.forEach((entry, index) => {
    projector.add(entry, index);
  });
  return projector.finish();
}

export interface ProjectionInput {
  readonly entries: readonly Entry[];
  readonly system: string;
  /** The `provider/model` that receives the request. */
  readonly model: string;
  readonly hash: Hash;
  /** The contents of the entries' attachments; without them no texts are shown. */
  readonly attached?: AttachedContents;
}

export interface Projection {
  /** Empty when the prompt is blank: the request then has no system prompt. */
  readonly system: string;
  /** Begins and ends with a user message, roles in turn; empty only when no entry says anything. */
  readonly messages: readonly Message[];
  readonly repairs: readonly Repair[];
  /**
   * `off`: the request ends inside a tool loop whose last step has no thinking to send. A provider that requires
   * thinking there when thinking is on (Anthropic) must be called with it off; other providers ignore this.
   */
  readonly thinking: "allowed" | "off";
  /** `prefixFingerprint` of this request; it is stored with the thinking that the request returns. */
  readonly fingerprint: string;
}

/** The newest version of everything attached that a request with these entries shows, by `attachmentKey`. */
export function attachedTo(entries: readonly Entry[], contents: AttachedContents): ReadonlyMap<string, Attachment> {
  const context = new AttachedContext(contents);
  for (const entry of entries) {
    if (entry.failed === true || entry.role === AI) continue;
    if (isResult(entry) || hasText(entry)) context.add(attachmentsOf(entry));
  }
  return context.known;
}

const OPENING: TextPart = { type: "text", text: "(What was said before this answer is not part of the conversation.)" };
const CONTINUE: TextPart = { type: "text", text: "Continue." };

class Projector {
  readonly #input: ProjectionInput;
  readonly #system: string;
  readonly #pairing: Pairing;
  readonly #list: MessageList;
  readonly #repairs: Repair[] = [];
  readonly #attached: AttachedContext;
  /** Index of the step whose results may still be written in place: nothing was said since. */
  #openStep = -1;

  constructor(input: ProjectionInput) {
    this.#input = input;
    this.#attached = new AttachedContext(input.attached);
    const prompt = saysSomething(input.system) ? [input.system.toWellFormed()] : [];
    this.#system = [...prompt, ...this.#firstContext()].join("\n\n");
    this.#pairing = pairTools(input.entries);
    this.#list = new MessageList(this.#system, input.hash);
    if (!input.system.isWellFormed()) this.#repairs.push(repair("text-mended", []));
  }

  add(entry: Entry, index: number): void {
    if (!entry.content.isWellFormed()) this.#repairs.push(repair("text-mended", [entry.id]));
    if (isResult(entry)) this.#addResult(entry, index);
    else if (entry.role === AI) this.#addAnswer(entry, this.#pairing.steps.get(index) ?? [], index);
    else this.#addText(entry);
  }

  finish(): Projection {
    const { last } = this.#list;
    if (last?.role === "assistant") this.#askToContinue(last);
    const messages = this.#nothingSaid ? [] : this.#list.messages;
    return {
      system: this.#system,
      messages,
      repairs: this.#repairs,
      thinking: endsInLoopWithoutThinking(messages) ? "off" : "allowed",
      fingerprint: this.#list.fingerprint,
    };
  }

  /** The texts of the entry that begins the conversation: they are part of the system prompt. No later entry changes it. */
  #firstContext(): readonly string[] {
    const first = this.#input.entries.find((entry) => isResult(entry) || hasText(entry));
    if (!first || first.role === AI || isResult(first)) return [];
    const texts = attachmentsOf(first).filter(({ kind }) => kind !== "screenshot" && kind !== "image");
    return this.#attached.add(texts).texts;
  }

  #addAnswer(entry: Entry, calls: readonly PairedCall[], index: number): void {
    const speaks = saysSomething(entry.content);
    if (!speaks && calls.length === 0) {
      this.#repairs.push(repair("empty-dropped", [entry.id]));
      return;
    }
    const place = this.#placeFor(entry);
    const thinking = sendableThinking(entry, place, this.#input.hash);
    if (thinking.leftOut) this.#repairs.push(repair(thinking.leftOut, [entry.id]));
    for (const part of answerParts(entry, thinking, calls.length > 0, this.#input.hash)) this.#list.addAssistant(part);
    for (const call of calls) this.#addCall(call, entry, place);
    for (const call of calls) this.#addResultOf(call, entry);
    for (const { result } of calls) this.#show(this.#entryAt(result));
    this.#openStep = index;
  }

  /** Ensures that an answer may come next: after a message of the user, or joined to the answer before. */
  #placeFor(entry: Entry): RequestPosition {
    const { last } = this.#list;
    if (this.#nothingSaid) {
      this.#list.addUser(OPENING);
      this.#repairs.push(repair("opening-added", [entry.id]));
    }
    if (last?.role === "assistant") {
      if (!this.#answersContinue(entry)) {
        this.#repairs.push(repair("answers-merged", [...lastSpeaker(last), entry.id]));
        return { model: this.#input.model };
      }
      this.#askToContinue(last);
    }
    return { model: this.#input.model, prefix: this.#list.fingerprint };
  }

  /** Thinking made after "Continue." proves that its request ended with that line: the line is history and stays. */
  #answersContinue({ thinking_segments = [] }: Entry): boolean {
    if (thinking_segments.length === 0) return false;
    const asked = this.#list.fingerprintAfter(CONTINUE);
    return thinking_segments.some(({ prefix }) => prefix === asked);
  }

  #addCall({ id, call }: PairedCall, entry: Entry, place: RequestPosition): void {
    const name = sendableToolName(call.name);
    const input = sendableInput(call.input);
    const asMade = name === call.name && input === call.input;
    const signature = asMade ? sendableSignature(call, place, this.#input.hash) : undefined;
    if (id !== call.id) this.#repairs.push(repair("call-id-changed", [entry.id], call.name, id));
    if (name !== call.name) this.#repairs.push(repair("tool-name-changed", [entry.id], call.name, name));
    if (input !== call.input) this.#repairs.push(repair("input-changed", [entry.id], call.name));
    const part = { type: "tool-call", call_id: id, name, input, entry_id: entry.id } as const;
    this.#list.addAssistant(signature === undefined ? part : { ...part, signature });
  }

  #addResultOf(call: PairedCall, entry: Entry): void {
    const result = this.#entryAt(call.result);
    const rerolled = this.#entryAt(this.#pairing.rerolled.get(call.call.id));
    const answered = resultPart({ call, entry, result, rerolled });
    this.#list.addUser(answered.part);
    if (answered.repair) this.#repairs.push(answered.repair);
  }

  /**
   * A result was already written with its call; here it is only reported as moved, or written as text when it answers
   * no call.
   */
  #addResult(entry: ResultEntry, index: number): void {
    const { call_id, name } = entry.tool_result;
    const call = this.#pairing.answers.get(index);
    const caller = this.#entryAt(call?.entry);
    if (call && caller) {
      if (call.entry !== this.#openStep)
        this.#repairs.push(repair("result-moved", [caller.id, entry.id], call.call.name));
      return;
    }
    const code = this.#pairing.called.has(call_id) ? "result-duplicated" : "result-orphaned";
    this.#repairs.push(repair(code, [entry.id], name));
    this.#say(resultAsText(entry), entry);
  }

  #addText(entry: Entry): void {
    const texts = (entry.tool_calls ?? []).map(callAsText);
    if (texts.length > 0) this.#repairs.push(repair("calls-as-text", [entry.id], entry.role));
    if (saysSomething(entry.content)) texts.unshift(entry.content);
    if (texts.length === 0) {
      this.#repairs.push(repair("empty-dropped", [entry.id]));
      return;
    }
    if (entry.role !== USER) {
      texts.unshift(roleLabel(entry.role));
      this.#repairs.push(repair("role-labelled", [entry.id], entry.role));
    }
    this.#say(texts.join("\n"), entry);
  }

  #show(entry: Entry | undefined): void {
    if (entry === undefined) return;
    const { texts, images } = this.#attached.add(attachmentsOf(entry));
    for (const image of images) this.#list.addUser(image);
    if (texts.length > 0) this.#list.addUser({ ...textPart(markedAsAttached(texts), entry), attached: true });
  }

  #say(text: string, entry: Entry): void {
    this.#show(entry);
    this.#list.addUser(textPart(text, entry));
    this.#openStep = -1;
  }

  #askToContinue(after: Message): void {
    this.#repairs.push(repair("continue-added", lastSpeaker(after)));
    this.#list.addUser(CONTINUE);
  }

  get #nothingSaid(): boolean {
    return this.#list.messages.length === 0;
  }

  #entryAt(index: number | undefined): Entry | undefined {
    return index === undefined ? undefined : this.#input.entries[index];
  }
}

/** Whether an entry that is no result is sent at all. */
function hasText(entry: Entry): boolean {
  return saysSomething(entry.content) || (entry.tool_calls ?? []).length > 0;
}

function textPart(text: string, entry: Entry): TextPart {
  return { type: "text", text: text.toWellFormed(), entry_id: entry.id };
}

function lastSpeaker(message: Message): string[] {
  const id = message.parts.at(-1)?.entry_id;
  return id === undefined ? [] : [id];
}

function endsInLoopWithoutThinking(messages: readonly Message[]): boolean {
  if (messages.at(-1)?.parts[0]?.type !== "tool-result") return false;
  return messages.at(-2)?.parts[0]?.type !== "thinking";
}
