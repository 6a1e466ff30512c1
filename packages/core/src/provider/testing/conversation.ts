import type { Attachment } from "../../session/attachment.ts";
import {
  AI,
  type Entry,
  type ThinkingSegment,
  TOOL,
  type ToolCall,
  type ToolStatus,
  USER,
} from "../../session/entry.ts";
import type { JsonObject } from "../../values/json.ts";
import type { AttachedContents } from "../attached-context.ts";
import { answerFingerprint } from "../fingerprint.ts";
import { type Projection, projectMessages } from "../project-messages.ts";
import { sign, toAnthropic } from "./anthropic-rules.ts";
import { quickHash } from "./quick-hash.ts";

/**
 * A conversation that grows as the runtime makes it grow: the thinking of a step is signed for the request that made
 * it.
 */
export class Conversation {
  readonly entries: Entry[];
  readonly model: string;
  readonly #prefix: string;
  #made = 0;

  constructor(entries: readonly Entry[] = [], model = MODEL, prefix = "e") {
    this.entries = [...entries];
    this.model = model;
    this.#prefix = prefix;
  }

  says(role: string, content: string): this {
    return this.#add({ role, content });
  }

  prompt(content: string, attached: readonly Attachment[] = []): this {
    return this.#add({ role: USER, content, ...(attached.length > 0 ? { attached } : {}) });
  }

  step({ text = "", thinking, calls = [] }: StepPlan): this {
    const made = calls.map((call): ToolCall => {
      this.#made += 1;
      return {
        id: call.id ?? `${this.#prefix}-call-${this.#made}`,
        name: call.name ?? "read",
        input: call.input === undefined ? {} : call.input,
      };
    });
    const thoughts = (thinking ?? []).map((thought) => this.#think(thought));
    const answer = { content: text, tool_calls: made, thinking_segments: thoughts };
    const segments = thoughts.map((thought) => ({ ...thought, answer: answerFingerprint(answer, quickHash) }));
    this.#add({
      role: AI,
      content: text,
      ...(made.length > 0 ? { tool_calls: made } : {}),
      ...(segments.length > 0 ? { thinking_segments: segments } : {}),
    });
    made.forEach((call, index) => {
      const { output, status = "completed", attached = [] } = calls[index] ?? {};
      if (output === undefined) return;
      const tool_result = { call_id: call.id, name: call.name, status };
      this.#add({ role: TOOL, content: output, tool_result, ...(attached.length > 0 ? { attached } : {}) });
    });
    return this;
  }

  sent(model = this.model): Projection {
    const { entries } = this;
    return projectMessages({ entries, system: SYSTEM_PROMPT, model, hash: quickHash, attached: CONTENTS });
  }

  #think(thought: string | null): ThinkingSegment {
    const sent = this.sent();
    return {
      text: thought ?? "",
      ...(thought === null ? { redacted: true } : {}),
      signature: sign(toAnthropic(sent, this.model), thought ?? ""),
      model: this.model,
      prefix: sent.fingerprint,
    };
  }

  #add(entry: Partial<Entry> & { role: string; content: string }): this {
    const id = `${this.#prefix}${this.entries.length}`;
    this.entries.push({ id, order: id, ts: "2026-01-01T00:00:00Z", collapsed: false, read_mode: true, ...entry });
    return this;
  }
}

/** The digest of a content is the content itself; one name is no longer wanted, and one content is not here. */
export const CONTENTS: AttachedContents = {
  text: (digest) => (digest === "missing" ? undefined : digest),
  changes: (before, after) => `-${before}\n+${after}`,
  wanted: ({ name }) => name !== "unwanted",
};

export const MODEL = "anthropic/claude";
export const OTHER_MODEL = "google/gemini";
export const SYSTEM_PROMPT = "You are careful.";

export interface StepPlan {
  readonly text?: string;
  /** Texts of its thinking; null means thinking that the provider hid. */
  readonly thinking?: readonly (string | null)[];
  readonly calls?: readonly CallPlan[];
}

export interface CallPlan {
  readonly id?: string;
  readonly name?: string;
  readonly input?: JsonObject;
  /** Without one no result is added. */
  readonly output?: string;
  readonly status?: ToolStatus;
  readonly attached?: readonly Attachment[];
}
