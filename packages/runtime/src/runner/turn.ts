import type { ApprovalMode, ApprovalRule, JsonObject, Notice, TurnReceipt } from "@retake/core";
import type { WorkspaceFiles } from "@retake/workspace";
import type { Model } from "../model/model.ts";
import type { ModelFacts } from "../model/model-facts.ts";
import type { Approvals } from "../store/approvals.ts";
import type { Identity } from "../store/identity.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import type { Confiner } from "../tools/confine/confiner.ts";
import type { Tool } from "../tools/tool.ts";
import type { ThreadFiles } from "../undo/thread-files.ts";
import type { ContextPlaces } from "./attach-context.ts";
import type { Budget } from "./budget.ts";
import type { CommsLog } from "./comms-log.ts";

/** The dependencies of a turn. */
export interface TurnParts {
  readonly store: ThreadStore;
  readonly workspace: WorkspaceFiles;
  readonly files: ThreadFiles;
  readonly identity: Identity;
  readonly tools: readonly Tool[];
  readonly comms: CommsLog;
  readonly context: ContextPlaces;
  readonly facts: ModelFacts;
  /** The directory for long outputs of tools. */
  readonly overflow: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly approvals: Approvals;
  readonly confiner: Confiner;
  readonly budget: Budget;
  /** `free` answers a title that no other thread of the workspace has. `byModel`: the model names threads. */
  readonly titles: { readonly byModel: boolean; free(title: string): string };
}

export interface TurnRequest {
  readonly thread: string;
  /** The turn's id, when it was announced before the turn began. */
  readonly turn?: string;
  readonly prompt: string;
  readonly model: Model;
  /** The approval mode of this turn; the workspace's own if absent. */
  readonly mode?: ApprovalMode | undefined;
  /** False (`--yes`): calls that need a question are denied. */
  readonly questions?: boolean | undefined;
  readonly approve: (question: ApprovalQuestion) => Promise<ApprovalAnswer>;
  readonly onEvent: (event: TurnEvent) => void;
  /** Called after each commit of the turn. Output of the model is reported earlier, at once. */
  readonly onCommit?: () => void;
  readonly signal: AbortSignal;
  /** Asked once the workspace is held: false where the turn was ended while it waited. It does not begin then. */
  readonly mayBegin?: () => boolean;
  /** Called when the turn has to wait until another process is done with the workspace. */
  readonly onWait?: () => void;
  /** Called with the way to end the wait for the next try early, and without it when that wait is over. */
  readonly onRetryWait?: (tryNow: (() => void) | undefined) => void;
}

/** The reason of an aborted signal when the whole process ends, and not only the turn. */
export const SHUTDOWN = "shutdown";

/** `denied`: the reason that the model reads. */
export type ApprovalAnswer = "allow" | "allow-always" | "deny" | { readonly denied: string };

export interface ApprovalQuestion {
  /** The how manieth question of its step it is, and how many there are. */
  readonly number: number;
  readonly of: number;
  /** The entry that will hold the call's result. */
  readonly entry: string;
  readonly call_id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly notices: readonly Notice[];
  readonly always?: ApprovalRule;
  /** The workspace: where a command would run. */
  readonly directory: string;
  /** The change of a file that the call would make, line by line. */
  readonly preview?: string;
}

/**
 * The events that a turn reports to its watchers. Text, thinking and output are reported as they arrive, with their
 * entry and `at`, the length of that entry's text before. They are committed within a moment.
 */
export type TurnEvent = Named & TurnReport;

/** Added by the process that passes it on. */
interface Named {
  readonly thread_id?: string;
  readonly turn_id?: string;
}

type TurnReport =
  | { readonly type: "turn-started"; readonly thread_id: string; readonly turn_id: string; readonly model: string }
  | { readonly type: "text" | "thinking"; readonly entry: string; readonly at: number; readonly text: string }
  /** The text reported for this answer came from a failed attempt; it starts again. */
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
      /** Of a call that ended without having started: no other event tells it. */
      readonly input?: JsonObject;
      readonly status: string;
      readonly content: string;
    }
  /** Other information for the user. */
  | { readonly type: "notice"; readonly message: string }
  /** `message` says why the last attempt failed; `attempt` is the one that comes at `retry_at`. */
  | {
      readonly type: "retry";
      readonly message: string;
      readonly retry_at: number;
      readonly attempt: number;
      readonly attempts: number;
    }
  | {
      readonly type: "turn-finished";
      readonly thread_id: string;
      readonly turn_id: string;
      /** `#7`: the name that people and commands use. */
      readonly turn_name?: string;
      readonly status: string;
      readonly usage: JsonObject;
      /** In dollars, when the model's prices are known. */
      readonly cost?: number;
      readonly failure?: JsonObject;
      readonly receipt?: TurnReceipt;
    };

export type TurnResult = Extract<TurnEvent, { type: "turn-finished" }>;
