import type { Json, JsonObject } from "../values/json.ts";
import type { Attachment } from "./attachment.ts";

/**
 * One item of a conversation (D1). Open: other keys than those listed here are kept through every operation, export and
 * import, and no code of ours reads them.
 *
 * The agent writes one entry per model step and one entry per tool result, so that each can be read, edited and removed
 * by itself. A step's entry lists the tools it called (`tool_calls`); a result's entry names the call it answers
 * (`tool_result`). The user may edit, re-role or remove any of them: `core/provider` makes valid messages of every such
 * conversation.
 */
export interface Entry {
  readonly id: string;
  /** Sorts the entries of a take; see `values/order-key.ts`. */
  readonly order: string;
  /** The speaker, any string. Providers give a meaning to `User` and `AI`, and to `Tool` with a `tool_result`. */
  readonly role: string;
  readonly content: string;
  /** The time of its creation, ISO 8601. */
  readonly ts: string;
  readonly collapsed: boolean;
  /** Shown as rendered Markdown (true) or as editable text (false). */
  readonly read_mode: boolean;
  /** The turn that wrote it; absent when the user wrote it by hand. */
  readonly turn_id?: string;
  readonly thinking_segments?: readonly ThinkingSegment[];
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_result?: ToolResult;
  readonly usage?: Usage;
  /** For a prompt whose turn failed without any answer: it stays, and is sent to no model. */
  readonly failed?: boolean;
  /** Content that the model sees with this entry, besides its text. */
  readonly attached?: readonly Attachment[];
  /** For a tool's result: the warnings shown before the call ran (X8), and its effect on the files (X4). */
  readonly notices?: readonly Notice[];
  readonly receipt?: CallReceipt;
  /** For a call whose command runs on in the background: its name, and how it ended once that is known. */
  readonly background?: JsonObject;
  readonly [key: string]: Json | undefined;
}

/** The thinking of a model before its answer. It is sent back only to the same model, after the same prefix. */
export type ThinkingSegment = JsonObject & {
  readonly text: string;
  /** The provider's proof that the text is the model's own; a segment without one is only shown. */
  readonly signature?: string;
  /** Set when the provider hid the text; `signature` then holds its opaque data. */
  readonly redacted?: boolean;
  /** The `provider/model` that made it. */
  readonly model?: string;
  /** Fingerprint of the messages that the model was answering. */
  readonly prefix?: string;
  /** Fingerprint of the answer it led to. Without one, the segment is sent even when the answer was edited. */
  readonly answer?: string;
  /** How many characters of the answer's text came before it; missing means 0. */
  readonly text_before?: number;
};

export type ToolCall = JsonObject & {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  /** The provider's proof that the call is the model's own, with the model, the prefix and the call it is valid for. */
  readonly signature?: string;
  readonly model?: string;
  readonly prefix?: string;
  readonly answer?: string;
};

/** `unknown`: the tool was running when the process was killed, so its progress is not known. */
export type ToolStatus = "pending" | "running" | "completed" | "failed" | "denied" | "interrupted" | "unknown";

export type ToolResult = JsonObject & {
  readonly call_id: string;
  readonly name: string;
  readonly status: ToolStatus;
  /** Progress of a running tool: `fraction` 0..1, `message`, `units` done. */
  readonly progress?: JsonObject;
};

/** A warning about a call, shown to the user before it runs, with or without a question (X8). */
export type Notice =
  | { readonly kind: "outside-workspace"; readonly path: string }
  | { readonly kind: "git-directory"; readonly path: string }
  | { readonly kind: "irreversible"; readonly what: string }
  | { readonly kind: "unconfined"; readonly what: string };

/** The files that a call changed, in their displayed form. `TurnReceipt` says what the lists mean. */
export type CallReceipt = JsonObject & {
  readonly files_changed?: readonly string[];
  readonly ignored_changed?: readonly string[];
  readonly uncovered_changed?: readonly string[];
  readonly omitted?: number;
};

export type Usage = JsonObject & {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
};

/** The roles that providers treat in their own way. Every other role speaks as the user. */
export const USER = "User";
export const AI = "AI";
/** The role of a tool's result. Users cannot choose it. */
export const TOOL = "Tool";
export const SYSTEM = "System";
export const DEFAULT_ROLES: readonly string[] = [USER, AI, "Vendor API", SYSTEM];

/** One line for a collapsed entry (A3). */
export function preview(entry: { readonly content: string }, length = 60): string {
  const line = beginningOf(entry.content, length * 2);
  const characters = [...line.slice(0, length * 2)];
  return characters.length <= length && line.length <= length * 2 ? line : `${characters.slice(0, length).join("")}…`;
}

/** A text on one line, or a beginning of it that is longer than `enough`: of a text of megabytes little is read. */
function beginningOf(text: string, enough: number): string {
  for (let read = enough * 4; ; read *= 4) {
    const line = text.slice(0, read).replace(/\s+/g, " ").trim();
    if (read >= text.length || line.length > enough + 1) return line;
  }
}
