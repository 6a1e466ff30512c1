import { existsSync } from "node:fs";
import type { SyncedThread, SyncRows } from "../store/sync-rows.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import type { SyncLogin } from "./login-file.ts";
import { SyncError } from "./sync-error.ts";

/** The state of sync, for people. Times are milliseconds since 1970. */
export interface SyncStatus {
  /** `off`: not logged in. `linking`: waits for another device. `stopped`: the user has to do something. */
  readonly state: "off" | "linking" | "synced" | "pending" | "stopped";
  readonly url?: string;
  readonly device?: string;
  /** The operations that the server has not confirmed. */
  readonly pending: number;
  /** Why the server cannot be asked, or why nothing is synced until the user has done something. */
  readonly problem?: { readonly code: string; readonly message: string; readonly next_try?: number };
  /** Threads with something to say: those that are not synced. */
  readonly threads: readonly SyncThreadStatus[];
  readonly synced_threads: number;
  readonly synced_at?: number;
  /** Threads of this machine that were removed from the server, and are not synced any more. */
  readonly removed: readonly { readonly thread_id: string; readonly title: string }[];
  /** Threads whose workspaces are not on this machine. */
  readonly elsewhere: readonly {
    readonly thread_id: string;
    readonly title: string;
    readonly workspace_root: string;
  }[];
}

export interface SyncThreadStatus {
  readonly thread_id: string;
  readonly title: string;
  readonly pending: number;
  readonly behind: boolean;
  readonly retries: number;
  readonly error?: { readonly code: string; readonly message: string };
  readonly next_try?: number;
  /** When all of it was last on the server; absent: never. */
  readonly synced_at?: number;
  readonly stopped: boolean;
}

/** `login`: what the file says, or why it cannot be read. */
export function syncStatus(login: SyncLogin | SyncError | undefined, rows: SyncRows, threads: ThreadStore): SyncStatus {
  if (!login) return { state: "off", pending: 0, ...NO_THREADS };
  if (login instanceof SyncError) {
    const { code, message } = login;
    return { state: "stopped", pending: 0, problem: { code, message }, ...NO_THREADS };
  }
  const { url, name: device } = login;
  if (!login.joined) return { state: "linking", url, device, pending: 0, ...NO_THREADS };
  const { stop, poll } = rows.vault();
  const waiting = rows.pending();
  const known = rows.threads();
  const isRemoved = (id: string) => known.get(id)?.state.stop?.code === "gone";
  const ids = new Set([...known.keys(), ...waiting.keys()]);
  const synced = [...ids].filter((id) => !isRemoved(id));
  const unsynced: SyncThreadStatus[] = [];
  // Most threads are synced: of thousands, only the others are looked up in the store.
  for (const id of synced) {
    const said = threadStatus(known.get(id) ?? rows.thread(id), waiting.get(id) ?? 0);
    if (said) unsynced.push({ thread_id: id, title: threads.get(id)?.title ?? id, ...said });
  }
  const synced_at = [...known.values()].reduce((last, each) => Math.max(last, each.synced_at ?? 0), 0);
  const problem = problemOf(stop, poll);
  return {
    state: stop ? "stopped" : unsynced.length > 0 ? "pending" : "synced",
    url,
    device,
    pending: unsynced.reduce((sum, { pending }) => sum + pending, 0),
    ...(problem ? { problem } : {}),
    threads: unsynced,
    synced_threads: synced.length - unsynced.length,
    ...(synced_at === 0 ? {} : { synced_at }),
    removed: [...ids].filter(isRemoved).flatMap((id) => {
      const thread = threads.get(id);
      return thread && !thread.deleted ? [{ thread_id: id, title: thread.title }] : [];
    }),
    elsewhere: threads
      .roots()
      .filter((root) => !existsSync(root))
      .flatMap((root) => threads.list(root))
      .filter(({ deleted }) => !deleted)
      .map(({ id, title, workspace_root }) => ({ thread_id: id, title, workspace_root })),
  };
}

/** The state of a thread that is not synced; undefined for one that is. */
function threadStatus(
  { state, synced_at }: SyncedThread,
  pending: number,
): Omit<SyncThreadStatus, "thread_id" | "title"> | undefined {
  const failed = [state.push, state.pull].find(({ retries }) => retries > 0);
  const error = state.stop ?? failed?.error;
  const behind = state.last_seq > state.pulled;
  if (pending === 0 && !behind && !state.stop && error?.code !== "failed") return undefined;
  const next_try = state.stop ? undefined : failed?.next_try;
  return {
    pending,
    behind,
    retries: Math.max(state.push.retries, state.pull.retries),
    ...(error ? { error: { code: error.code, message: error.message } } : {}),
    ...(next_try === undefined ? {} : { next_try }),
    ...(synced_at === undefined ? {} : { synced_at }),
    stopped: state.stop !== undefined,
  };
}

const NO_THREADS = { threads: [], synced_threads: 0, removed: [], elsewhere: [] };

function problemOf(
  stop: ReturnType<SyncRows["vault"]>["stop"],
  { error, next_try }: ReturnType<SyncRows["vault"]>["poll"],
): SyncStatus["problem"] {
  if (stop) return { code: stop.code, message: `${stop.message}${ADVICE[stop.code] ?? ""}` };
  return error && { code: error.code, message: error.message, next_try };
}

/** The ways out of a stop. */
const ADVICE: Readonly<Record<string, string>> = {
  unauthorized: " Everything is still on this machine. Log in again: retake sync logout, then retake sync login <url>",
  revoked: " Everything is still on this machine. To sync again: retake sync logout, then retake sync login <url>",
  "not-found":
    " Everything is still on this machine. To sync with another vault: retake sync logout, then retake sync login <url>",
  "wrong-key": " Everything is still on this machine. Get the key: retake sync logout, then retake sync recover <url>",
  "newer-version": " It is tried again when Retake starts.",
};
