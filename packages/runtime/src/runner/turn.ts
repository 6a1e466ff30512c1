import type { ApprovalRule, JsonObject, Notice, TurnReceipt } from "@retake/core";
import type { WorkspaceFiles } from "@retake/workspace";
import type { Model } from "../model/model.ts";
import type { Identity } from "../store/identity.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import type { Tool } from "../tools/tool.ts";
import type { ThreadFiles } from "../undo/thread-files.ts";
import type { CommsLog } from "./comms-log.ts";

/** What a turn is run with, asked for, and watched by. */
export interface TurnParts {
  readonly store: ThreadStore;
  readonly workspace: WorkspaceFiles;
  readonly files: ThreadFiles;
  readonly identity: Identity;
  readonly tools: readonly Tool[];
  readonly comms: CommsLog;
  /** Where long outputs of tools are kept. */
  readonly overflow: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface TurnRequest {
  readonly thread: string;
  /** The turn's id, where someone was told of it before it began. */
  readonly turn?: string;
  readonly prompt: string;
  readonly model: Model;
  /** `--yes`: what would be asked about is allowed. */
  readonly approveAll: boolean;
  readonly approve: (question: ApprovalQuestion) => Promise<"allow" | "allow-always" | "deny">;
  readonly onEvent: (event: TurnEvent) => void;
  /** Something of the turn was committed. What the model says is told before that, at once. */
  readonly onCommit?: () => void;
  readonly signal: AbortSignal;
}

/** The reason of an aborted signal where the process ends, and not only the turn. */
export const SHUTDOWN = "shutdown";

export interface ApprovalQuestion {
  /** The entry that the call's result will be in. */
  readonly entry: string;
  readonly call_id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly notices: readonly Notice[];
  readonly always?: ApprovalRule;
}

/**
 * What a turn tells who watches it. Text, thinking and output are told as they arrive, with the entry that they will be
 * in, and `at`, the length of what that entry said before; what is committed follows within a moment.
 */
export type TurnEvent = Named & Told;

/** Added by who tells it to others. */
interface Named {
  readonly thread_id?: string;
  readonly turn_id?: string;
}

type Told =
  | { readonly type: "turn-started"; readonly thread_id: string; readonly turn_id: string; readonly model: string }
  | { readonly type: "text" | "thinking"; readonly entry: string; readonly at: number; readonly text: string }
  /** What was told of this answer came from an attempt that failed; it begins anew. */
  | { readonly type: "answer-discarded"; readonly entry: string }
  | {
      readonly type: "tool-started";
      readonly entry: string;
      readonly call_id: string;
      readonly name: string;
      readonly input: JsonObject;
      readonly notices: readonly Notice[];
    }
  | {
      readonly type: "tool-output";
      readonly entry: string;
      readonly call_id: string;
      readonly at: number;
      readonly text: string;
    }
  | {
      readonly type: "tool-ended";
      readonly entry: string;
      readonly call_id: string;
      readonly name: string;
      readonly status: string;
      readonly content: string;
    }
  /** What the user should know, besides. */
  | { readonly type: "notice"; readonly message: string }
  | { readonly type: "retry"; readonly message: string; readonly retry_at: number }
  | {
      readonly type: "turn-finished";
      readonly thread_id: string;
      readonly turn_id: string;
      /** `#7`: what people and commands call it. */
      readonly turn_name?: string;
      readonly status: string;
      readonly usage: JsonObject;
      /** Dollars, where the model's prices are configured. */
      readonly cost?: number;
      readonly failure?: JsonObject;
      readonly receipt?: TurnReceipt;
    };

export type TurnResult = Extract<TurnEvent, { type: "turn-finished" }>;
