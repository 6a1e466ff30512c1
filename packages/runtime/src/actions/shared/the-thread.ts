import { threadAnswer } from "../../answers/thread-answer.ts";
import type { Runtime } from "../../host/runtime.ts";

export function theThread(runtime: Runtime, id: string) {
  const thread = runtime.thread(id);
  const current = runtime.current(thread.workspace_root)?.id;
  const answer = runtime.read(id, (history) => threadAnswer(history, thread, current)) as never as ThreadJson;
  return { ...answer, ...readersOf(runtime, answer) };
}

/** The readers of a thread (L3). The server says it, and not the log, which undo and jump change. */
function readersOf(runtime: Runtime, { id, private: isPrivate }: ThreadJson) {
  if (isPrivate) return { visibility: "private" as const, shared_with_support: false };
  const shared = runtime.sync.readersOf(id);
  const visibility = shared.includes("link") ? ("public" as const) : ("organization" as const);
  return { visibility, shared_with_support: shared.includes("support") };
}

export type ThreadJson = ReturnType<typeof threadAnswer> & {
  readonly tags: string[];
  readonly pinned: boolean;
  readonly visibility: "organization" | "private" | "public";
  readonly private: boolean;
  readonly shared_with_support: boolean;
  readonly deleted: boolean;
  readonly cwd: string;
  readonly retake_version: string;
};
