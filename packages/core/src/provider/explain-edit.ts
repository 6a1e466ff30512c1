import type { Entry } from "../session/entry.ts";
import { equal } from "../values/json.ts";
import type { AttachedContents } from "./attached-context.ts";
import type { Hash } from "./fingerprint.ts";
import type { Message, Part } from "./message.ts";
import { type Projection, projectMessages } from "./project-messages.ts";
import type { Repair } from "./repair.ts";

/**
 * Explains what an edit breaks for the provider, and how the next request repairs it (X7). It projects the entries
 * before and after the edit and compares the requests, so it announces exactly what will be done. Everything is empty,
 * the summary too, when the request after the edit only extends or shortens the one before.
 */
export function explainEdit(edit: Edit): EditEffects {
  const { model, hash, attached } = edit;
  const shared = { model, hash, ...(attached ? { attached } : {}) };
  const before = projectMessages({ ...edit.before, ...shared });
  const after = projectMessages({ ...edit.after, ...shared });
  const cache = lostCache(before, after);
  const effects = {
    ...(cache ? { cache } : {}),
    thinking_left_out: lostThinking(before, after, edit.after.entries),
    thinking_turned_off: before.thinking === "allowed" && after.thinking === "off" && before.messages.some(hasThinking),
    repairs: newRepairs(before.repairs, after.repairs),
  };
  return { ...effects, summary: summaryOf(effects) };
}

export interface Edit {
  readonly before: { readonly entries: readonly Entry[]; readonly system: string };
  readonly after: { readonly entries: readonly Entry[]; readonly system: string };
  readonly model: string;
  readonly hash: Hash;
  readonly attached?: AttachedContents;
}

export interface EditEffects {
  /** The first part that the provider must read again; absent when its cache is still valid. */
  readonly cache?: LostCache;
  /** Entries whose thinking was sent before and will not be any more. */
  readonly thinking_left_out: readonly string[];
  /** The next request ends in a tool loop whose thinking is lost, so Anthropic must be called with thinking off. */
  readonly thinking_turned_off: boolean;
  /** Other repairs that the edit makes necessary. */
  readonly repairs: readonly Repair[];
  /** One line for the user. */
  readonly summary: string;
}

export interface LostCache {
  /** Index of the first message that differs; -1 when the system prompt does. */
  readonly message: number;
  /** The entry it differs at, where an entry is the cause. */
  readonly entry_id?: string;
  /** How much must be sent again, at four characters a token: an estimate within a factor of two. */
  readonly tokens: number;
}

function lostCache(before: Projection, after: Projection): LostCache | undefined {
  if (before.messages.length === 0 || after.messages.length === 0) return undefined;
  const then = sentParts(before.messages);
  const now = sentParts(after.messages);
  const sameSystem = before.system === after.system;
  let same = 0;
  while (sameSystem && same < then.length && same < now.length && isSame(then[same], now[same])) same += 1;
  if (sameSystem && (same === then.length || same === now.length)) return undefined;

  const characters = now
    .slice(same)
    .reduce((sum, { part }) => sum + sizeOf(part), sameSystem ? 0 : after.system.length);
  const first = sameSystem ? now[same] : undefined;
  return {
    message: first ? first.message : -1,
    ...(first?.part.entry_id === undefined ? {} : { entry_id: first.part.entry_id }),
    tokens: Math.ceil(characters / 4),
  };
}

interface SentPart {
  readonly message: number;
  readonly role: Message["role"];
  readonly part: Part;
}

function sentParts(messages: readonly Message[]): SentPart[] {
  const parts = messages.flatMap(({ role, parts }, message) => parts.map((part) => ({ message, role, part })));
  // A line that comes from no entry exists only at the end of the conversation, and goes when the conversation grows.
  if (parts.at(-1)?.part.entry_id === undefined) parts.pop();
  return parts;
}

/** Compares field by field, because serializing a whole conversation twice is too slow. */
function isSame(a: SentPart | undefined, b: SentPart | undefined): boolean {
  if (!a || !b || a.role !== b.role) return false;
  const { entry_id: _, ...then } = a.part;
  const { entry_id: __, ...now } = b.part;
  return equal(then, now);
}

/** Providers count about 1,500 tokens for a screenshot. */
const IMAGE_CHARACTERS = 6000;

function sizeOf(part: Part): number {
  switch (part.type) {
    case "text":
      return part.text.length;
    case "thinking":
      return part.text.length + part.signature.length;
    case "image":
      return IMAGE_CHARACTERS;
    case "tool-call":
      return part.name.length + JSON.stringify(part.input).length;
    case "tool-result":
      return part.output.length;
  }
}

function lostThinking(before: Projection, after: Projection, entries: readonly Entry[]): string[] {
  const remaining = new Set(thinkingEntries(after.messages));
  const present = new Set(entries.map((entry) => entry.id));
  return [...new Set(thinkingEntries(before.messages))].filter((id) => present.has(id) && !remaining.has(id));
}

function thinkingEntries(messages: readonly Message[]): string[] {
  return messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "thinking" ? [part.entry_id] : [])));
}

function hasThinking(message: Message): boolean {
  return message.parts[0]?.type === "thinking";
}

function newRepairs(before: readonly Repair[], after: readonly Repair[]): Repair[] {
  const known = new Set(before.map(keyOf));
  return after.filter((repair) => isDamage(repair) && !known.has(keyOf(repair)));
}

/** Thinking is listed separately, and the user's next prompt replaces a line that asks to continue. */
function isDamage({ code }: Repair): boolean {
  return !code.startsWith("thinking-") && code !== "continue-added";
}

function keyOf({ code, entry_ids, message }: Repair): string {
  return `${code} ${entry_ids.join(" ")} ${message}`;
}

function summaryOf(effects: Omit<EditEffects, "summary">): string {
  const { cache, thinking_left_out: thinking, thinking_turned_off: off, repairs } = effects;
  const news: string[] = [];
  if (cache) news.push(`About ${plural(cache.tokens, "token")} must be sent again.`);
  if (thinking.length > 0) news.push(`The thinking of ${plural(thinking.length, "answer")} is left out.`);
  if (off) news.push("The next step is made without thinking.");
  news.push(...repairs.slice(0, 1).map((repair) => repair.message));
  if (repairs.length > 1) news.push(`${plural(repairs.length - 1, "more repair")}.`);
  return news.join(" ");
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
