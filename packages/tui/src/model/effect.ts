/** The effects that `update` asks for, and the messages that come back from them: both are data. */
import type { Client, RetakeEvent, SessionView } from "@retake/client";
import type { DraftTake } from "@retake/client/screen";
import type { WindowRequest } from "@retake/core";
import type { InputEvent } from "../terminal/read-keys.ts";
import type { ListName, PlanRequest, TurnOptions } from "./model.ts";

export type Effect =
  | { readonly kind: "call"; readonly name: CallName; readonly args: readonly unknown[]; readonly tag: Tag }
  | { readonly kind: "show"; readonly window: WindowRequest }
  /** Shows the thread from now on; undefined for none. */
  | { readonly kind: "follow"; readonly thread: string | undefined }
  /** Begins a thread for a prompt, which then starts its first turn. */
  | { readonly kind: "begin"; readonly prompt: string; readonly options: TurnOptions }
  | { readonly kind: "edit"; readonly text: string; readonly tag: EditTag }
  /** A command of the command line; its lines come as they are printed. With `terminal` it has the terminal to itself. */
  | { readonly kind: "command"; readonly args: readonly string[]; readonly terminal: boolean }
  | { readonly kind: "shell"; readonly command: string }
  /** Ends the shell command that runs. */
  | { readonly kind: "end-shell" }
  | { readonly kind: "complete"; readonly line: string; readonly request: number }
  | { readonly kind: "files"; readonly beginning: string; readonly request: number }
  | { readonly kind: "copy"; readonly text: string }
  | { readonly kind: "copy-rows"; readonly from: number; readonly to: number }
  | { readonly kind: "remember"; readonly prompt: string; readonly stored: boolean }
  /**
   * Sends an event later, or at once with 0; with the same `id` a later one takes the place of an earlier one, but the event
   * comes at the latest `most` after the first of them.
   */
  | {
      readonly kind: "after";
      readonly id: string;
      readonly milliseconds: number;
      readonly most?: number;
      readonly event: Event;
    }
  | { readonly kind: "mouse"; readonly on: boolean }
  | { readonly kind: "suspend" }
  | { readonly kind: "redraw" }
  | { readonly kind: "quit" };

type Awaitable = { [Name in keyof Client]: Client[Name] extends (...args: never[]) => Promise<unknown> ? Name : never };
export type CallName = Awaitable[keyof Client];

/** The purpose of an answer. */
export type Tag =
  | { readonly for: "usage" | "queue" | "interrupted"; readonly thread: string }
  | { readonly for: "status" | "approvals" | "thread" | "nothing" }
  | { readonly for: "decided"; readonly call: string }
  | { readonly for: "draft"; readonly take: DraftTake }
  | { readonly for: "sent"; readonly prompt: string }
  /** A prompt is taken out of the queue, into the text field. */
  | { readonly for: "unqueued"; readonly turn: string; readonly prompt: string }
  | { readonly for: "changes"; readonly turn: string }
  | { readonly for: "list"; readonly name: ListName; readonly about: Readonly<Record<string, string>> }
  | { readonly for: "detail"; readonly name: ListName; readonly key: string }
  | { readonly for: "plan"; readonly request: PlanRequest }
  | { readonly for: "done"; readonly request: PlanRequest }
  | { readonly for: "thread-deleted"; readonly thread: string; readonly title: string }
  /** A change without a plan; `say` where the answer has no words, `reload` the list that shows it. */
  | { readonly for: "changed"; readonly say?: string; readonly reload?: ListName };

export type EditTag =
  | { readonly for: "composer" }
  | { readonly for: "entry"; readonly entry: string }
  | { readonly for: "insert"; readonly before: string }
  | { readonly for: "setting"; readonly field: string }
  | { readonly for: "resolution"; readonly path: string };

export type Event =
  | InputEvent
  | { readonly type: "resized"; readonly columns: number; readonly rows: number }
  | { readonly type: "tick"; readonly now: number }
  | { readonly type: "viewed"; readonly view: SessionView; readonly now: number }
  | { readonly type: "told"; readonly event: RetakeEvent }
  | { readonly type: "connection"; readonly connected: boolean }
  | { readonly type: "answered"; readonly tag: Tag; readonly answer: unknown }
  | {
      readonly type: "failed";
      readonly tag: Tag;
      readonly code: string;
      readonly message: string;
      readonly details?: unknown;
    }
  | { readonly type: "opened"; readonly root: string }
  | { readonly type: "followed"; readonly thread: string }
  | { readonly type: "edited"; readonly tag: EditTag; readonly text: string | undefined; readonly problem?: string }
  | { readonly type: "printed"; readonly text: string }
  | { readonly type: "command-ended"; readonly code: number }
  | {
      readonly type: "completed";
      readonly request: number;
      readonly from: number;
      readonly choices: readonly { readonly word: string; readonly about?: string }[];
    }
  | { readonly type: "question-quiet"; readonly call: string; readonly keys: number }
  | { readonly type: "draft-quiet" }
  | { readonly type: "open"; readonly name: ListName; readonly about: Readonly<Record<string, string>> }
  | { readonly type: "toast-over"; readonly text: string }
  | { readonly type: "said"; readonly text: string; readonly tone: "plain" | "warning" | "error" };

/** The purpose of a change that is one step; `reload` is the list that shows it. */
export function changedTag(what: string, reload?: ListName): Tag {
  return { for: "changed", say: `${what}. Ctrl+Z takes it back.`, ...(reload && { reload }) };
}

/** A call of the client, checked by its types. */
export function call<Name extends CallName>(name: Name, args: Parameters<Client[Name]>, tag: Tag): Effect {
  return { kind: "call", name, args, tag };
}
