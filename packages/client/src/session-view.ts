/**
 * A thread as a screen shows it: a window of its records, kept up to date by events. It always equals what a fresh read of
 * that window would give, because it is folded by the core.
 *
 *   checkpoint (a window, and where in the events that is) ─▶ events after it, each folded ─▶ the window
 *
 * An event that cannot be folded from the window alone (a gap, a past state that only the server has, an operation that
 * was left out for its size, an entry that comes into the window from outside) makes the view stale: its window is read
 * again. Uncommitted output of a turn is kept apart, in `live`, by the entry that it will be in.
 */
import {
  type AwaitedApproval,
  awaitedApprovals,
  checkpointFormat,
  decode,
  entryById,
  foldWindow,
  operationFormat,
  type Window,
} from "@retake/core";
import type { RetakeEvent } from "./wire/event.ts";

export interface SessionView extends Window {
  readonly thread: string;
  /** The last event that it holds. */
  readonly seq: string;
  /** Uncommitted output, by entry. */
  readonly live: ReadonlyMap<string, Live>;
}

export interface Live {
  readonly turn: string;
  readonly text?: LiveOutput;
  readonly thinking?: LiveOutput;
  /** Output of a tool. */
  readonly output?: LiveOutput;
}

/** The last part of an output; `at` is the length of the output before it. */
export interface LiveOutput {
  readonly at: number;
  readonly text: string;
}

export type Folded = { readonly kind: "view"; readonly view: SessionView } | { readonly kind: "stale" };

/** A view of what `GET …/checkpoint` answered for a window. */
export function viewOf(
  thread: string,
  answer: { readonly seq: string; readonly checkpoint: unknown; readonly window?: Omit<Window, "state"> | undefined },
): SessionView {
  const { seq, window } = answer;
  const decoded = decode(checkpointFormat, answer.checkpoint);
  if (decoded.kind === "unreadable") throw new Error(decoded.message);
  if (!window) throw new Error("a view is of a window: ask for entries");
  return { ...window, thread, state: decoded.value, seq, live: new Map() };
}

/** The view after an event; the same one where the event says nothing new of its thread. */
export function foldEvent(view: SessionView, event: RetakeEvent): Folded {
  if (event.type === "gap") return event.lost === "live" ? viewOnly({ ...view, live: new Map() }) : { kind: "stale" };
  if (!("thread_id" in event) || event.thread_id !== view.thread) return viewOnly(view);
  const { seq } = event;
  if (event.type !== "operation-committed" && event.type !== "operation-omitted") {
    const live = liveAfter(view.live, event);
    return viewOnly(live === view.live ? view : { ...view, seq, live });
  }
  // The events repeat operations that were committed while the view was read.
  if (event.operation.version <= view.state.version) return viewOnly({ ...view, seq });
  if (event.type === "operation-omitted") return { kind: "stale" };
  const decoded = decode(operationFormat, event.operation);
  if (decoded.kind === "unreadable") throw new Error(decoded.message);
  const window = foldWindow(view, decoded.value);
  if (!window) return { kind: "stale" };
  return viewOnly({ ...view, ...window, seq, live: withoutCommitted(view.live, window) });
}

/** The text of an entry after its committed part. */
export function liveText({ live, state, take }: SessionView, entry: string): string {
  const said = live.get(entry)?.text;
  const committed = entryById(state, take, entry)?.content.length ?? 0;
  return said && said.at <= committed ? said.text.slice(committed - said.at) : "";
}

/** The tool calls of the view's take that wait for the user's word. */
export function approvalsIn({ state, take }: SessionView): AwaitedApproval[] {
  return awaitedApprovals(state, take);
}

function viewOnly(view: SessionView): Folded {
  return { kind: "view", view };
}

const FIELD = { text: "text", thinking: "thinking", "tool-output": "output" } as const;

function liveAfter(live: SessionView["live"], event: RetakeEvent): SessionView["live"] {
  switch (event.type) {
    case "text":
    case "thinking":
    case "tool-output": {
      const field = FIELD[event.type];
      const before = live.get(event.entry);
      const said = before?.[field];
      const goesOn = said !== undefined && said.at + said.text.length === event.at;
      const next = goesOn ? { at: said.at, text: said.text + event.text } : { at: event.at, text: event.text };
      return new Map(live).set(event.entry, { ...before, turn: event.turn_id, [field]: next });
    }
    case "answer-discarded":
    case "tool-ended":
      return without(live, (entry) => entry === event.entry);
    case "turn-finished":
      return without(live, (_, { turn }) => turn === event.turn_id);
    default:
      return live;
  }
}

/** Without the text of entries that say all of it now. */
function withoutCommitted(live: SessionView["live"], { state, take }: Window): SessionView["live"] {
  return without(live, (entry, { text, thinking, output }) => {
    if (thinking || output || !text) return false;
    return (entryById(state, take, entry)?.content.length ?? 0) >= text.at + text.text.length;
  });
}

function without(live: SessionView["live"], isOver: (entry: string, each: Live) => boolean): SessionView["live"] {
  const left = [...live].filter(([entry, each]) => !isOver(entry, each));
  return left.length === live.size ? live : new Map(left);
}
