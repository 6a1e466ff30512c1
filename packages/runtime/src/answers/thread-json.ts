import type { ThreadSummary } from "../store/thread-store.ts";

/** A thread as JSON; `active` is the one that commands act on by default. */
export function threadJson(thread: ThreadSummary, current: string | undefined) {
  const { id, title, version, workspace_root, private: isPrivate, created_at, updated_at } = thread;
  return {
    id,
    title,
    version,
    workspace_root,
    private: isPrivate,
    active: id === current,
    created_at: new Date(created_at).toISOString(),
    updated_at: new Date(updated_at).toISOString(),
  };
}
