import { operationJson } from "../answers/operation-json.ts";
import type { LoggedOperation } from "../store/operation-log.ts";

/** What is told to whoever follows, ready to be sent. Only what has a number can be asked for again. */
export interface FeedEvent {
  readonly seq?: number;
  readonly thread: string | undefined;
  readonly json: string;
}

/** What is told while it happens, and may be missed. */
export interface Passing {
  readonly type: string;
  /** Absent for what is about a workspace and no thread of it. */
  readonly thread_id?: string;
  readonly [field: string]: unknown;
}

/** More than this is not sent to every reader: whoever needs it reads again. */
const LARGEST = 256 * 1024;

export function committedEvent({ thread, operation, size }: LoggedOperation, seq: number): FeedEvent {
  const { parents, group, scope, redoes, diff, version } = operation;
  const changes = { parents, group, scope, ...(redoes ? { redoes } : {}), diff };
  const event = {
    type: "operation-committed",
    seq,
    thread_id: thread,
    version,
    operation: operationJson(operation, thread),
    ...(size > LARGEST ? {} : { changes }),
  };
  return { seq, thread, json: JSON.stringify(event) };
}

export function gapEvent(since: number, seq: number): FeedEvent {
  return { seq, thread: undefined, json: JSON.stringify({ type: "gap", seq, since_seq: since }) };
}

export function passingEvent(event: Passing): FeedEvent {
  return { thread: event.thread_id, json: JSON.stringify(event) };
}
