import {
  AI,
  DEFAULT_MAX_RETRIES,
  type Entry,
  type JsonObject,
  MODEL_ERRORS,
  type ModelErrorCode,
  projectMessages,
  retryDelay,
  signedCall,
  type ThinkingSegment,
  TOOL,
  type ToolCall,
  USER,
  withoutProofs,
  withThinking,
} from "@retake/core";
import type { Model, ModelEnd } from "../model/model.ts";
import { type ModelFacts, outputLimits } from "../model/model-facts.ts";
import { pause } from "../model/pause.ts";
import type { Tool, ToolEnd } from "../tools/tool.ts";
import { attachImages } from "./attach-context.ts";
import { contextUse } from "./context-use.ts";
import { lastOf } from "./model-calls.ts";
import { imagesOf, sha256 } from "./model-request.ts";

/**
 * The conversation of a sub-agent with its model. It consists of entries like a thread, which live as long as the call:
 * so its requests are made by the rules of all requests, and failures are waited for as those of a turn.
 */
export class SubAgentTalk {
  readonly #parts: TalkParts;
  readonly #entries: Entry[] = [];
  readonly #images = new Map<string, Uint8Array>();
  /** Codes of rejected parts: they are left out from then on. */
  readonly #rejected = new Set<ModelErrorCode>();

  constructor(parts: TalkParts, task: string) {
    this.#parts = parts;
    this.#add("task", USER, task);
  }

  /** Asks for the next step. Waits and asks again where that may help; an answer is part of the conversation. */
  async ask(step: number, signal: AbortSignal): Promise<TalkAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#ask(step, signal);
      if (signal.aborted || answer.end.kind === "responded") return answer;
      const delay = this.#delay(answer.end, attempt);
      if (delay === undefined) return answer;
      this.#parts.say(`(${answer.end.message} It is asked again.)`);
      if (!(await pause(delay, signal))) return answer;
    }
  }

  /** Adds the result of a call. */
  hear({ id, name }: ToolCall, { outcome, content, images = [] }: ToolEnd): void {
    const put = (data: Uint8Array | string) => {
      const digest = sha256(data);
      if (typeof data !== "string") this.#images.set(digest, data);
      return digest;
    };
    const attached = attachImages(images, this.#images.size, { put });
    this.#add(id, TOOL, content, { tool_result: { call_id: id, name, status: outcome }, attached });
  }

  async #ask(step: number, signal: AbortSignal): Promise<TalkAnswer> {
    const { model, facts, tools } = this.#parts;
    const { system, messages, fingerprint } = projectMessages({
      entries: this.#entries,
      system: SYSTEM,
      model: model.name,
      hash: sha256,
    });
    const request = {
      system,
      messages: this.#rejected.has("invalid-signature") ? withoutProofs(messages) : messages,
      images: this.#rejected.has("invalid-image")
        ? new Map<string, Uint8Array>()
        : imagesOf({ messages }, (digest) => this.#images.get(digest)),
      tools: tools.map(({ name, description, input }) => ({ name, description, input })),
      ...outputLimits({ ...facts, thinking_budget: 0 }, 0, contextUse(this.#entries)),
      thinking: "off" as const,
      temperature: 0,
      top_p: 1,
      turn: 1,
    };
    const proof = { model: model.name, prefix: fingerprint };
    let content = "";
    let thinking_segments: readonly ThinkingSegment[] = [];
    const end = await lastOf(model.stream({ ...request, step, signal }), (part) => {
      if (part.kind === "text") content += part.text;
      else thinking_segments = withThinking({ content, thinking_segments }, part, proof);
    });
    if (end.kind === "failed") return { text: content, calls: [], end };
    // The ids of a model may be missing or the same twice.
    const own = end.calls.map((call, index) => ({ ...call, id: `sub_${step}_${index + 1}` }));
    // When the model refuses, the calls in its answer are not run.
    const calls = end.stop === "refused" ? [] : own.map((call) => signedCall(call, proof, sha256));
    this.#add(`sub-${step}`, AI, content, { thinking_segments, tool_calls: calls, usage: end.usage as JsonObject });
    return { text: content, calls, end };
  }

  /** Undefined where another request would fail too. */
  #delay(failed: Failed, attempt: number): number | undefined {
    const { code } = failed;
    if ((code === "invalid-signature" || code === "invalid-image") && !this.#rejected.has(code)) {
      this.#rejected.add(code);
      return 0;
    }
    if (!MODEL_ERRORS[code].retryable || attempt > DEFAULT_MAX_RETRIES) return undefined;
    const delay = retryDelay({ ...failed, retries: attempt, jitter: this.#parts.chance() });
    return delay.kind === "wait" ? delay.delay_ms : undefined;
  }

  #add(id: string, role: string, content: string, more: Partial<Entry> = {}): void {
    this.#entries.push({ id, role, content, order: "", ts: "", collapsed: false, read_mode: false, ...more });
  }
}

export interface TalkParts {
  readonly model: Model;
  readonly facts: ModelFacts;
  readonly tools: readonly Tool[];
  /** From 0 up to 1; the waits of several helpers differ by it. */
  readonly chance: () => number;
  readonly say: (text: string) => void;
}

export interface TalkAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly end: ModelEnd;
}

type Failed = Extract<ModelEnd, { kind: "failed" }>;

const SYSTEM = `You are a helper of a coding agent. You get one task, work on it with your tools in the agent's workspace, and
answer with a report: what you found or did, with the names of files and the lines that matter. Paths are relative to the
workspace. Follow AGENTS.md where there is one. Nobody can answer questions: decide, and say what you decided.`;
