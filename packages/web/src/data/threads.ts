import { channel, client } from "./connection.ts";
import { isUnreachable, messageOf } from "./session.ts";
import { Store } from "./store.ts";

export type ThreadSummary = Awaited<ReturnType<typeof client.summarizeThreads>>["threads"][number];

export const threads = new Store<{
  readonly list: readonly ThreadSummary[] | undefined;
  readonly failure: string | undefined;
}>({ list: undefined, failure: undefined });

let reading: Promise<void> | undefined;
let again = false;

/** Reads the list of threads. Calls while it is read make one more read, so that no change is missed. */
export function readThreads(): Promise<void> {
  if (reading) {
    again = true;
    return reading;
  }
  reading = read().finally(() => {
    reading = undefined;
    if (again) {
      again = false;
      setTimeout(() => void readThreads(), 300);
    }
  });
  return reading;
}

async function read(): Promise<void> {
  try {
    const { threads: list } = await client.summarizeThreads({ limit: 500 });
    threads.set({ list, failure: undefined });
  } catch (error) {
    // The connection bar says so, and the list is read again as soon as the server is back.
    if (isUnreachable(error) && threads.value.list) return;
    threads.update((state) => ({ ...state, failure: messageOf(error) }));
  }
}

/** Reads the list again after whatever may change it. */
export function followThreads(): () => void {
  void readThreads();
  const events = channel.onEvent((event) => {
    const { type } = event;
    // Of an answer that streams only its end: its words come many times in a second.
    if (type === "operation-committed" || type === "operation-omitted") {
      if (event.operation.kind !== "turn-streamed") void readThreads();
    } else if (type === "turn-finished" || type === "gap") void readThreads();
  });
  const connection = channel.onConnection(() => {
    if (channel.connection === "live") void readThreads();
  });
  return () => {
    events();
    connection();
  };
}
