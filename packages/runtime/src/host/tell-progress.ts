import type { Feed } from "../events/feed.ts";
import type { ProgressOptions } from "../undo/restore-with-commit.ts";

/** Reports the progress on the files of a thread to the feed. */
export function tellProgress(feed: Feed, thread: string, root: string): ProgressOptions["onProgress"] {
  return (progress) => feed.tell({ type: "progress", thread_id: thread, workspace_root: root, ...progress });
}
