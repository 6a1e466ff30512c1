import type { JsonObject } from "@retake/core";

/** The next answer of a test server, independent of the server's format. */
export interface ScriptedAnswer {
  /** In this order. A server omits blocks that its provider lacks, and thinking that the request does not ask for. */
  readonly blocks?: readonly AnswerBlock[];
  readonly stop?: "end" | "length" | "refused";
  readonly fault?: Fault;
}

export type AnswerBlock =
  | { readonly type: "thinking"; readonly text: string }
  /** Thinking that the provider hides. */
  | { readonly type: "redacted" }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call"; readonly id: string; readonly name: string; readonly input: JsonObject | string };

/** Where in a stream something stands. */
export type ChunkKind = "start" | "thinking" | "text" | "arguments" | "end";

export type Fault =
  /** An answer that is no success. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: unknown;
    }
  /** The connection breaks, stops, ends cleanly, or carries nonsense, after the first piece of this kind. */
  | { readonly kind: "drop" | "stall" | "end" | "malformed"; readonly after: ChunkKind }
  /** The provider says in the middle of its stream that it failed. */
  | { readonly kind: "error-event"; readonly after: ChunkKind; readonly type: string; readonly message: string };

export interface Chunk {
  readonly kind: ChunkKind;
  readonly text: string;
}

/** In pieces of a few characters, as models send it; never within a character. */
export function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,7}/gu) ?? [];
}

export function event(data: unknown, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

export function inputText(input: JsonObject | string): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}
