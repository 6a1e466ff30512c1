/**
 * Time travel: the thread as it was at an operation, read-only. The server makes the state of that moment; nothing on disk
 * changes. States that were seen are kept, so that going back and forth asks nothing again.
 */
import { type SessionView, viewOf } from "@retake/client";
import { client } from "../data/connection.ts";
import { messageOf } from "../data/session.ts";
import { Store } from "../data/store.ts";
import { uncoverCentre } from "../data/view-state.ts";

export type Step = Awaited<ReturnType<typeof client.getHistory>>["operations"][number];

export interface Travel {
  readonly thread: string;
  /** The operation right after which the thread is shown. */
  readonly op: string;
  /** The steps that can be walked along, oldest first. */
  readonly steps: readonly Step[];
  /** Undefined until the state is there; then the last one that was shown. */
  readonly view: SessionView | undefined;
  readonly failure: string | undefined;
}

export const travelStore = new Store<Travel | undefined>(undefined);

/** The most entries of a past moment that are shown; the newest of them. */
const SHOWN = "last:300";
const KEPT = 60;
const seen = new Map<string, SessionView>();

/** Shows the thread as it was right after an operation. */
export async function travelTo(thread: string, op: string): Promise<void> {
  const before = travelStore.value;
  if (!before) uncoverCentre();
  const known = before?.thread === thread ? before : undefined;
  const cached = seen.get(`${thread} ${op}`);
  travelStore.set({ thread, op, steps: known?.steps ?? [], view: cached ?? known?.view, failure: undefined });
  try {
    const [view, steps] = await Promise.all([cached ?? read(thread, op), known?.steps ?? readSteps(thread)]);
    // A later step may have been asked for meanwhile.
    travelStore.update((now) => (now?.thread === thread && now.op === op ? { ...now, view, steps } : now));
  } catch (error) {
    travelStore.update((now) => (now?.op === op ? { ...now, failure: messageOf(error) } : now));
  }
}

export function backToNow(): void {
  travelStore.set(undefined);
}

async function read(thread: string, op: string): Promise<SessionView> {
  const view = viewOf(thread, await client.getCheckpoint(thread, { at: op, entries: SHOWN }));
  if (seen.size >= KEPT) seen.delete(seen.keys().next().value ?? "");
  seen.set(`${thread} ${op}`, view);
  return view;
}

async function readSteps(thread: string): Promise<readonly Step[]> {
  const { operations } = await client.getHistory(thread, { limit: 1000 });
  return operations.toReversed();
}
