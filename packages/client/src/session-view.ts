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
  type Diff,
  decode,
  type Operation,
  type State,
} from "@retake/core";
import type { FeedEvent, OperationCommitted, PassingEvent } from "./wire/event.ts";

export interface SessionView {
  readonly thread: string;
  readonly state: State;
  /** The last event that it holds. */
  readonly seq: number;
  /** What was told since the last operation and may be lost, oldest first. */
  readonly passing: readonly PassingEvent[];
}

export type Folded = { readonly kind: "view"; readonly view: SessionView } | { readonly kind: "stale" };

/** A view of what `GET …/checkpoint` answered. */
export function viewOf(thread: string, answer: { readonly seq: number; readonly checkpoint: unknown }): SessionView {
  const decoded = decode(checkpointFormat, answer.checkpoint);
  if (decoded.kind === "unreadable") throw new Error(decoded.message);
  return { thread, state: decoded.value, seq: answer.seq, passing: [] };
}

/** The view after an event; the same one where the event says nothing new of its thread. */
export function foldEvent(view: SessionView, event: FeedEvent): Folded {
  if (event.type === "gap") return { kind: "stale" };
  if (event.type !== "operation-committed") {
    if (event.type === "progress" || event.thread_id !== view.thread) return { kind: "view", view };
    return { kind: "view", view: { ...view, passing: [...view.passing, event].slice(-MOST_PASSING) } };
  }
  // By the thread's own count: numbers of two stores can come in either order.
  if (event.thread_id !== view.thread || event.version <= view.state.version)
    return { kind: "view", view: event.seq > view.seq ? { ...view, seq: event.seq } : view };
  const operation = operationOf(event);
  if (!operation || (operation.parents[0] ?? null) !== view.state.head) return { kind: "stale" };
  try {
    const state = apply(view.state, operation, missing);
    return { kind: "view", view: { ...view, state, seq: event.seq, passing: [] } };
  } catch (error) {
    if (error instanceof MissingPastError) return { kind: "stale" };
    throw error;
  }
}

/** The tool calls of the active take that wait for the user's word. */
export function approvalsIn({ state }: SessionView): AwaitedApproval[] {
  return awaitedApprovals(state, activeTake(state));
}

const MOST_PASSING = 1000;

/** The operation as the core has it, of what the wire says of it. */
function operationOf({ operation, version, changes }: OperationCommitted): Operation | undefined {
  if (!changes) return undefined;
  const { thread_id: _, created_at, ...said } = operation;
  const { diff, ...placed } = changes;
  return {
    ...said,
    ...placed,
    version,
    created_at: Date.parse(created_at),
    diff: diff as unknown as Diff,
  } as unknown as Operation;
}

class MissingPastError extends Error {}

function missing(): never {
  throw new MissingPastError();
}
