/**
 * A thread as a screen shows it: its records, kept up to date by events. It always equals what a fresh
 * read would give, because it is folded by the same function that the server's own state is.
 *
 *   checkpoint (all records, and the number N) ─▶ events behind N, each applied ─▶ the state
 *
 * An event that does not follow (a gap, a past state that only the server has, changes that were left
 * out for their size) makes the view stale: it is read again, whole. What was said while a turn streams
 * and is not committed yet is kept apart, in `passing`, and dropped as soon as the operation is there.
 */
import {
  type AwaitedApproval,
  activeTake,
  apply,
  awaitedApprovals,
  checkpointFormat,
  decode,
  operationFormat,
  type State,
} from "@retake/core";
import type { RetakeEvent } from "./wire/event.ts";

export interface SessionView {
  readonly thread: string;
  readonly state: State;
  /** The last event that it holds. */
  readonly seq: string;
  /** What was told since the last operation and may be lost, oldest first. */
  readonly passing: readonly RetakeEvent[];
}

export type Folded = { readonly kind: "view"; readonly view: SessionView } | { readonly kind: "stale" };

/** A view of what `GET …/checkpoint` answered. */
export function viewOf(thread: string, answer: { readonly seq: string; readonly checkpoint: unknown }): SessionView {
  const decoded = decode(checkpointFormat, answer.checkpoint);
  if (decoded.kind === "unreadable") throw new Error(decoded.message);
  return { thread, state: decoded.value, seq: answer.seq, passing: [] };
}

/** The view after an event; the same one where the event says nothing new of its thread. */
export function foldEvent(view: SessionView, event: RetakeEvent): Folded {
  if (event.type === "gap") return event.lost === "live" ? shown({ ...view, passing: [] }) : { kind: "stale" };
  if (!("thread_id" in event) || event.thread_id !== view.thread) return shown(view);
  if (event.type !== "operation-committed" && event.type !== "operation-omitted")
    return shown({ ...view, seq: event.seq, passing: [...view.passing, event].slice(-MOST_PASSING) });
  // What was committed while the view was read is told, too.
  if (event.operation.version <= view.state.version) return shown({ ...view, seq: event.seq });
  if (event.type === "operation-omitted") return { kind: "stale" };
  const decoded = decode(operationFormat, event.operation);
  if (decoded.kind === "unreadable") throw new Error(decoded.message);
  const operation = decoded.value;
  if ((operation.parents[0] ?? null) !== view.state.head) return { kind: "stale" };
  try {
    return shown({ ...view, state: apply(view.state, operation, missing), seq: event.seq, passing: [] });
  } catch (error) {
    if (error instanceof MissingPastError) return { kind: "stale" };
    throw error;
  }
}

function shown(view: SessionView): Folded {
  return { kind: "view", view };
}

/** The tool calls of the active take that wait for the user's word. */
export function approvalsIn({ state }: SessionView): AwaitedApproval[] {
  return awaitedApprovals(state, activeTake(state));
}

const MOST_PASSING = 1000;

class MissingPastError extends Error {}

function missing(): never {
  throw new MissingPastError();
}
