import type { Client } from "./create-client.ts";
import { foldEvent, type SessionView, viewOf } from "./session-view.ts";

export interface FollowedSession {
  readonly signal?: AbortSignal;
  readonly onConnection?: (connected: boolean) => void;
}

/** The view of a thread after every change, the present one first, until the signal or the caller ends it. */
export async function* followSession(
  client: Client,
  thread: string,
  options: FollowedSession = {},
): AsyncGenerator<SessionView, void> {
  const read = async () => viewOf(thread, await client.getCheckpoint(thread));
  let view = await read();
  yield view;
  for await (const event of client.followEvents({ ...options, thread, since_seq: view.seq })) {
    const folded = foldEvent(view, event);
    const next = folded.kind === "view" ? folded.view : await read();
    const changed = next !== view;
    view = next;
    if (changed) yield view;
  }
}
