import type { Runtime } from "../../host/runtime.ts";
import type { TurnInput } from "../../host/waiting-turn.ts";
import type { ChangeOptions } from "../../store/open-store.ts";

interface TurnBody<Prompt> {
  readonly prompt: Prompt;
  readonly model?: TurnInput["model"];
  readonly approve?: TurnInput["mode"];
  readonly questions?: TurnInput["questions"];
  readonly wait_ms?: TurnInput["waitMs"];
}

/** A turn as the queue takes it, from the body of a request. */
export function turnInput<Prompt>(
  runtime: Runtime,
  thread: string,
  { prompt, model, approve: mode, questions, wait_ms: waitMs }: TurnBody<Prompt>,
  { expectedVersion }: ChangeOptions,
): Omit<TurnInput, "prompt"> & { readonly prompt: Prompt } {
  const { workspace_root: root } = runtime.thread(thread);
  return { thread, root, prompt, model, mode, questions, waitMs, expectedVersion };
}
