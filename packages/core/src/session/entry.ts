import type { Json, JsonObject } from "../values/json.ts";

/**
 * One item of a conversation (D1). Open: keys that are not listed here are kept through every
 * operation, export and import, and no code of ours reads them.
 *
 * The agent writes one entry per model step and one entry per tool result, so that each can be read,
 * edited and removed by itself. A step's entry says which tools it called (`tool_calls`); a
 * result's entry says which call it answers (`tool_result`). Any of them may have been edited,
 * re-roled or removed since: `core/provider` makes valid messages of whatever is there.
 */
export interface Entry {
  readonly id: string;
  /** Sorts the entries of a take; see `values/order-key.ts`. */
  readonly order: string;
  /** Who speaks: any string; `User` and `AI` have a meaning to providers, and `Tool` has with a `tool_result`. */
  readonly role: string;
  readonly content: string;
  /** When it was made, ISO 8601. */
  readonly ts: string;
  readonly collapsed: boolean;
  /** Shown as rendered Markdown (true) or as editable text (false). */
  readonly read_mode: boolean;
  /** The turn that made it; absent for what the user wrote by hand. */
  readonly turn_id?: string;
  readonly thinking_segments?: readonly ThinkingSegment[];
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_result?: ToolResult;
  readonly usage?: Usage;
  /** Of a prompt whose turn failed and said nothing: it stays, and no model is sent it. */
  readonly failed?: boolean;
  /** Of a tool's result: what the user was told of the call before it ran (X8), and what it did to the files (X4). */
  readonly notices?: readonly JsonObject[];
  readonly receipt?: JsonObject;
  readonly [key: string]: Json | undefined;
}

/** What a model thought before it answered. Sent back only to the model and after the prefix it was made under. */
export type ThinkingSegment = JsonObject & {
  readonly text: string;
  /** The provider's proof that the text is the model's own; without one the segment is only shown. */
  readonly signature?: string;
  /** Set where the provider hid the text; `signature` then holds its opaque data. */
  readonly redacted?: boolean;
  /** `provider/model` that made it. */
  readonly model?: string;
  /** Fingerprint of the messages it was made under. */
  readonly prefix?: string;
  /** Fingerprint of the answer it led to; without one the answer may be edited and the segment still be sent. */
  readonly answer?: string;
  /** How many characters of the answer's text came before it; none where it is missing. */
  readonly text_before?: number;
};

export type ToolCall = JsonObject & {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  /** A provider's proof that the call is the model's own, with the model, the prefix and the call that it holds for. */
  readonly signature?: string;
  readonly model?: string;
  readonly prefix?: string;
  readonly answer?: string;
};

/** `unknown`: it was running when the process was killed; nobody knows how far it got. */
export type ToolStatus = "pending" | "running" | "completed" | "failed" | "denied" | "interrupted" | "unknown";

export type ToolResult = JsonObject & {
  readonly call_id: string;
  readonly name: string;
  readonly status: ToolStatus;
  /** How far a running tool is: `fraction` 0..1, `message`, `units` done. */
  readonly progress?: JsonObject;
};

export type Usage = JsonObject & {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
};

/** The roles whose entries providers treat in their own way. Every other role speaks as the user. */
export const USER = "User";
export const AI = "AI";
/** Of a tool's result. Not among the roles that a user chooses from. */
export const TOOL = "Tool";
export const SYSTEM = "System";
export const DEFAULT_ROLES: readonly string[] = [USER, AI, "Vendor API", SYSTEM];

/** One line for a collapsed entry (A3). */
export function preview(entry: { readonly content: string }, length = 60): string {
  const line = entry.content.replace(/\s+/g, " ").trim();
  const characters = [...line.slice(0, length * 2)];
  return characters.length <= length && line.length <= length * 2 ? line : `${characters.slice(0, length).join("")}…`;
}
