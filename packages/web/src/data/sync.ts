/** The state of sync, kept up to date by events. */
import type { SyncSummary } from "@retake/client/screen";
import { channel, client } from "./connection.ts";
import { Store } from "./store.ts";

export const syncState = new Store<SyncSummary>({ state: "off", pending: 0 });

export function followSync(): () => void {
  void read();
  const events = channel.onEvent((event) => {
    if (event.type === "sync-changed") syncState.set(event);
    if (event.type === "gap") void read();
  });
  const connection = channel.onConnection(() => {
    if (channel.connection === "live") void read();
  });
  return () => {
    events();
    connection();
  };
}

async function read(): Promise<void> {
  // The connection bar says that the server cannot be reached, and this is asked again when it is back.
  const found = await client.getSync().catch(() => undefined);
  if (!found) return;
  const { state, pending, problem, threads } = found;
  const reason = problem ?? threads.find(({ error }) => error)?.error;
  syncState.set({ state, pending, problem: reason?.message });
}
