import type { LoggedOperation } from "../store/operation-log.ts";
import { type Cursor, cursorText } from "./cursor.ts";

/** An event for readers, ready to be sent. */
export interface FeedEvent {
  /** A returning reader sends it to continue after this event. */
  readonly seq: string;
  readonly thread: string | undefined;
  readonly turn: string | undefined;
  readonly json: string;
}

/** A live event: it is in no store, and is lost when the process ends. */
export interface Passing {
  readonly type: string;
  /** Absent for an event about a workspace and no thread of it. */
  readonly thread_id?: string | undefined;
  readonly turn_id?: string | undefined;
  readonly [field: string]: unknown;
}

/** In bytes. A larger operation is not sent to every reader; readers that need it read it from the store. */
export const LARGEST = 256 * 1024;

/** The operation as it is stored, byte for byte. */
export function committedEvent(logged: LoggedOperation, cursor: Cursor): FeedEvent {
  const { thread, size, body, operation } = logged;
  const { id, version, kind, turn_id } = operation;
  const seq = cursorText(cursor);
  const where = `"seq":${JSON.stringify(seq)},"thread_id":${JSON.stringify(thread)}`;
  const json =
    body === undefined
      ? `{"type":"operation-omitted",${where},"operation":${JSON.stringify({ id, version, kind, turn_id })},"size":${size}}`
      : `{"type":"operation-committed",${where},"operation":${body}}`;
  return { seq, thread, turn: turn_id as string | undefined, json };
}

/**
 * `operations`: some operations can no longer be reported. `live`: all operations follow, but some live events are
 * lost.
 */
export function gapEvent(since: Cursor, cursor: Cursor, lost: "operations" | "live"): FeedEvent {
  const seq = cursorText(cursor);
  const json = JSON.stringify({ type: "gap", seq, since_seq: cursorText(since), lost });
  return { seq, thread: undefined, turn: undefined, json };
}

/** Where a stream begins that was asked for from now on. */
export function openedEvent(cursor: Cursor): FeedEvent {
  const seq = cursorText(cursor);
  return { seq, thread: undefined, turn: undefined, json: JSON.stringify({ type: "stream-opened", seq }) };
}

export function passingEvent({ type, ...rest }: Passing, cursor: Cursor): FeedEvent {
  const seq = cursorText(cursor);
  return { seq, thread: rest.thread_id, turn: rest.turn_id, json: JSON.stringify({ type, seq, ...rest }) };
}
