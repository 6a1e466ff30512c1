import { hash } from "node:crypto";
import {
  type AttachedContents,
  type Entry,
  entries,
  MAX_TEXT,
  type Part,
  type PathMember,
  type Projection,
  pathsIn,
  projectMessages,
  type Settings,
  type State,
  settings,
  type TakeId,
  turn,
  withoutProofs,
} from "@retake/core";
import { messagesAsMarkdown } from "../model/messages-as-markdown.ts";
import type { ModelRequest } from "../model/model.ts";
import { type ModelFacts, outputLimits } from "../model/model-facts.ts";
import { contextUse } from "./context-use.ts";

/**
 * The request to a model, made from the state alone, each time anew (D6). The same state makes the same bytes, because
 * provider caches and fingerprints of thinking depend on that. So no clock and no file is read here: what a request says
 * about them is attached to the entries when a turn begins (`attach-context.ts`).
 */
export function modelRequest(state: State, take: TakeId, input: RequestInput): PreparedRequest {
  const chosen = settings(state, take);
  const all = [...entries(state, take)];
  const { attached, conversation = all } = input;
  const projection = projectMessages({
    entries: conversation,
    system: systemPrompt(chosen),
    model: input.model,
    hash: sha256,
    ...(attached ? { attached } : {}),
  });
  const { temperature, top_p } = chosen;
  const limits = outputLimits(input.facts ?? {}, chosen.max_tokens, contextUse(conversation));
  const { system } = projection;
  const messages = input.withoutThinking ? withoutProofs(projection.messages) : projection.messages;
  const thinking = input.withoutThinking ? "off" : projection.thinking;
  return {
    content: {
      system,
      messages,
      thinking,
      temperature,
      top_p,
      ...limits,
      turn: turnNumber(state, take, all),
    },
    projection,
    sent: {
      sent_markdown: storable(messagesAsMarkdown(messages, LONGEST_SENT)),
      sent_system_prompt: storable(system),
      context_snapshot: pathsIn(state, take, "context"),
    },
  };
}

export interface RequestInput {
  /** The `provider/model` that receives the request. */
  readonly model: string;
  readonly facts?: ModelFacts;
  /** Sent instead of the take's conversation. */
  readonly conversation?: readonly Entry[];
  /** Set when the provider rejects the proofs of its own thinking. */
  readonly withoutThinking?: boolean;
  /** The contents of the entries' attachments. */
  readonly attached?: AttachedContents;
}

export interface PreparedRequest {
  readonly content: Omit<ModelRequest, "tools" | "step" | "signal">;
  /** The repairs, whether thinking may be on, and what to store with the thinking in the answer. */
  readonly projection: Projection;
  readonly sent: SentRecord;
}

/** The bytes of the images that a request shows, by digest. Where they are too many for one request, the newest are shown. */
export function imagesOf(
  { messages }: Pick<ModelRequest, "messages">,
  bytes: (digest: string) => Uint8Array | undefined,
): Map<string, Uint8Array> {
  const images = new Map<string, Uint8Array>();
  const parts = messages.flatMap((message): readonly Part[] => message.parts);
  let total = 0;
  for (const part of parts.toReversed()) {
    if (part.type !== "image" || part.problem !== undefined || images.has(part.digest)) continue;
    const data = bytes(part.digest);
    total += data?.length ?? 0;
    if (total > MOST_IMAGE_BYTES) break;
    if (data !== undefined) images.set(part.digest, data);
  }
  return images;
}

/** Anthropic accepts 32 MB a request, and an image is a third longer there. */
const MOST_IMAGE_BYTES = 20_000_000;

/** The discussion's record of the last request (D2). */
export type SentRecord = {
  readonly sent_markdown: string;
  readonly sent_system_prompt: string;
  readonly context_snapshot: readonly PathMember[];
};

/** The one hash for requests and answers: fingerprints must be the same in every process. */
export function sha256(text: string | Uint8Array): string {
  return hash("sha256", text, "hex");
}

const BASE_PROMPT = `You are a coding agent. You work in the user's workspace with the tools you are given; paths are relative to it.

- Look before you change: read a file before you edit it, and search before you assume.
- Change what was asked for and nothing else, in the style of the code around it.
- Check your work with the project's own tests and tools where there are any.
- When a tool fails or the user denies a call, do not repeat it unchanged: say what is in the way, or find another way.
- Everything you do in the workspace can be undone. What leaves it (pushes, publishing, network writes) cannot: ask first.
- Answer briefly. Say what you did, what you did not do, and what the user should know.`;

/** It is stored with every turn, so a conversation too large for any context window is cut. */
const LONGEST_SENT = 1_000_000;

/** The prompt from the user's settings. The attachments of the first entry come after it. */
export function systemPrompt(chosen: Settings): string {
  return [
    chosen.use_default_base_prompt ? BASE_PROMPT : chosen.base_system_prompt,
    chosen.global_system_prompt,
    chosen.project_system_prompt,
  ]
    .filter((text) => text.trim() !== "")
    .join("\n\n");
}

/**
 * Counts the turns whose prompts are in the take, including the running one. Not all records of turns are read: a long thread
 * whose conversation was compressed has many, and so has a branch, of turns whose entries it left out.
 */
function turnNumber(state: State, take: TakeId, all: readonly Entry[]): number {
  const ids = new Set(all.map(({ id }) => id));
  const turns = [...new Set(all.flatMap(({ turn_id }) => turn_id ?? []))];
  return Math.max(turns.filter((id) => ids.has(turn(state, take, id)?.prompt_entry ?? "")).length, 1);
}

/** Cut to what a record can hold; the communication log has the whole text. */
function storable(text: string): string {
  return text.length <= MAX_TEXT ? text : text.slice(0, MAX_TEXT).toWellFormed();
}
