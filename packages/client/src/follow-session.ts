import type { Client } from "./create-client.ts";
import { isFinal, Patience } from "./patience.ts";
import { foldEvent, type SessionView, viewOf } from "./session-view.ts";

export interface FollowedSession {
  readonly signal?: AbortSignal;
  readonly onConnection?: (connected: boolean) => void;
}

/**
 * The view of a thread after every change, the present one first, until the signal or the caller ends it. A server that
 * cannot be reached is waited for.
 */
export async function* followSession(
  client: Client,
  thread: string,
  options: FollowedSession = {},
): AsyncGenerator<SessionView, void> {
  let view = await read(client, thread, options);
  if (!view) return;
  yield view;
  for await (const event of client.followEvents({ ...options, thread, since_seq: view.seq })) {
    const folded = foldEvent(view, event);
    const next: SessionView | undefined = folded.kind === "view" ? folded.view : await read(client, thread, options);
    if (!next) return;
    const changed = next !== view;
    view = next;
    if (changed) yield view;
  }
}

/** The present state, as soon as it can be read; undefined once nobody waits for it. */
async function read(
  client: Client,
  thread: string,
  { signal, onConnection }: FollowedSession,
): Promise<SessionView | undefined> {
  const patience = new Patience(signal);
  while (!signal?.aborted) {
    const answer = await client.getCheckpoint(thread, { signal }).catch((error) => {
      if (isFinal(error) && !signal?.aborted) throw error;
      return undefined;
    });
    if (answer) return viewOf(thread, answer);
    onConnection?.(false);
    await patience.wait();
  }
  return undefined;
}
