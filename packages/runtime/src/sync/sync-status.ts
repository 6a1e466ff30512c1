import { existsSync } from "node:fs";
import type { SyncRows } from "../store/sync-rows.ts";
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
  const all = synced.map((id) => {
    const { state } = known.get(id) ?? rows.thread(id);
    const failed = [state.push, state.pull].filter(({ retries }) => retries > 0);
    const error = state.stop ?? failed[0]?.error;
    const next_try = state.stop ? undefined : failed[0]?.next_try;
    return {
      thread_id: id,
      title: threads.get(id)?.title ?? id,
      pending: waiting.get(id) ?? 0,
      behind: state.last_seq > state.pulled,
      retries: Math.max(state.push.retries, state.pull.retries),
      ...(error ? { error: { code: error.code, message: error.message } } : {}),
      ...(next_try === undefined ? {} : { next_try }),
      stopped: state.stop !== undefined,
    };
  });
  const unsynced = all.filter(
    ({ pending, behind, error, stopped }) => pending > 0 || behind || stopped || error?.code === "failed",
  );
  const times = [...known.values()].flatMap(({ synced_at }) => synced_at ?? []);
  const problem = problemOf(stop, poll);
  return {
    state: stop ? "stopped" : unsynced.length > 0 ? "pending" : "synced",
    url,
    device,
    pending: all.reduce((sum, { pending }) => sum + pending, 0),
    ...(problem ? { problem } : {}),
    threads: unsynced,
    synced_threads: all.length - unsynced.length,
    ...(times.length === 0 ? {} : { synced_at: Math.max(...times) }),
    removed: [...ids].filter(isRemoved).flatMap((id) => {
      const thread = threads.get(id);
      return thread && !thread.deleted ? [{ thread_id: id, title: thread.title }] : [];
    }),
    elsewhere: threads
      .list()
      .filter(({ deleted, workspace_root }) => !deleted && !existsSync(workspace_root))
      .map(({ id, title, workspace_root }) => ({ thread_id: id, title, workspace_root })),
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
