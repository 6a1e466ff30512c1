import { threadAnswer } from "../../answers/thread-answer.ts";
import type { Runtime } from "../../host/open-runtime.ts";

export function theThread(runtime: Runtime, id: string) {
  const thread = runtime.thread(id);
  const current = runtime.current(thread.workspace_root)?.id;
  return runtime.read(id, (history) => threadAnswer(history, thread, current)) as never as ThreadJson;
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
