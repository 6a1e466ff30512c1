import { activeTake, entryCount, narrowWindow, type Range, type WindowRequest } from "@retake/core";
import { ApiError } from "./api-error.ts";
import type { Client } from "./create-client.ts";
import { isFinal, Patience } from "./patience.ts";
import { foldEvent, type SessionView, viewOf } from "./session-view.ts";
import type { RetakeEvent } from "./wire/event.ts";

export interface FollowedSession {
  readonly signal?: AbortSignal;
  readonly onConnection?: (connected: boolean) => void;
  /** Every event of the thread, those too that are nothing to the view: one stream is enough for a screen. */
  readonly onEvent?: (event: RetakeEvent) => void;
  /** The window that it begins with, and goes back to where another take becomes active; the last 300 entries. */
  readonly window?: WindowRequest;
}

/** Views, one after every change, the present one first, until the signal or the caller ends it. */
export interface SessionFollower extends AsyncIterable<SessionView> {
  /**
   * Holds another window from now on, which the next view shows; not where it names an entry that is not there. Resolves when
   * it was read, or when another one was asked for.
   */
  show(window: WindowRequest): Promise<void>;
}

const FIRST: WindowRequest = { last: 300 };
/** A window that grew beyond this, because its thread did, gives up its oldest half. */
const MOST_HELD = 4000;

/** Follows a thread in a window of it. A server that cannot be reached is waited for. */
export function followSession(client: Client, thread: string, options: FollowedSession = {}): SessionFollower {
  let wanted: { readonly window: WindowRequest; readonly settle: () => void } | undefined;
  let wake = () => {};
  const show = (window: WindowRequest) => {
    wanted?.settle();
    const { promise, resolve: settle } = Promise.withResolvers<void>();
    wanted = { window, settle };
    wake();
    return promise;
  };
  async function* views(): AsyncGenerator<SessionView, void> {
    const first = options.window ?? FIRST;
    let view = await readView(client, thread, first, options);
    if (!view) return;
    yield view;
    const events = client.followEvents({ ...options, thread, since_seq: view.seq });
    try {
      for (let next = events.next(); ; ) {
        const before: SessionView = view;
        // A fresh read is at least as new as the view, but a checkpoint lacks uncommitted text: keep `live`.
        const read = async (window: WindowRequest) => {
          const fresh = await readView(client, thread, window, options);
          return fresh && { ...fresh, live: before.live };
        };
        await new Promise<void>((resolve, reject) => {
          wake = resolve;
          next.then(() => resolve(), reject);
          if (wanted) resolve();
        });
        let after: SessionView | undefined;
        if (wanted) {
          const { window, settle } = wanted;
          wanted = undefined;
          // An entry that was asked for may be gone by now: the window stays.
          after = await read(window).catch((error) => {
            if (error instanceof ApiError && error.status === 404) return before;
            throw error;
          });
          settle();
        } else {
          const result = await next;
          if (result.done) return;
          next = events.next();
          options.onEvent?.(result.value);
          const folded = foldEvent(before, result.value);
          after = folded.kind === "view" ? folded.view : await read(rangeOf(before));
          if (after && activeTake(after.state) !== before.take) after = await read(first);
        }
        if (!after) return;
        if (entryCount(after.state, after.take) > MOST_HELD)
          after = { ...after, ...narrowWindow(after, MOST_HELD / 2) };
        view = after;
        if (view !== before) yield view;
      }
    } finally {
      await events.return();
    }
  }
  return { show, [Symbol.asyncIterator]: views };
}

function rangeOf({ from, to, groups }: Range): Range {
  return { from, to, groups };
}

/** The present window, as soon as it can be read; undefined once nobody waits for it. */
async function readView(
  client: Client,
  thread: string,
  window: WindowRequest,
  { signal, onConnection }: FollowedSession,
): Promise<SessionView | undefined> {
  const patience = new Patience(signal);
  const query = windowQuery(window);
  while (!signal?.aborted) {
    const answer = await client.getCheckpoint(thread, query, { signal }).catch((error) => {
      if (isFinal(error) && !signal?.aborted) throw error;
      return undefined;
    });
    if (answer) return viewOf(thread, answer);
    onConnection?.(false);
    await patience.wait();
  }
  return undefined;
}

/** The query of `GET …/checkpoint` for a window. */
export function windowQuery(window: WindowRequest): Parameters<Client["getCheckpoint"]>[1] & object {
  if ("last" in window) return { entries: `last:${window.last}` };
  if ("before" in window) return { entries: `before:${window.before}:${window.count}` };
  if ("after" in window) return { entries: `after:${window.after}:${window.count}` };
  const { from, to, groups, more_before, more_after } = window;
  return {
    entries: "range",
    from: from ?? undefined,
    to: to ?? undefined,
    groups: groups ?? undefined,
    more_before: more_before || undefined,
    more_after: more_after || undefined,
  };
}
