import type { Runtime } from "../../host/open-runtime.ts";
import type { TurnAsked } from "../../host/waiting-turn.ts";
import type { ChangeOptions } from "../../store/open-store.ts";

interface TurnBody<Prompt> {
  readonly prompt: Prompt;
  readonly model?: TurnAsked["model"];
  readonly approve?: TurnAsked["mode"];
  readonly questions?: TurnAsked["questions"];
  readonly wait_ms?: TurnAsked["waitMs"];
}

/** A turn as the queue takes it, from the body of a request. */
export function turnAsked<Prompt>(
  runtime: Runtime,
  thread: string,
  { prompt, model, approve: mode, questions, wait_ms: waitMs }: TurnBody<Prompt>,
  { expectedVersion }: ChangeOptions,
): Omit<TurnAsked, "prompt"> & { readonly prompt: Prompt } {
  const { workspace_root: root } = runtime.thread(thread);
  const expected = expectedVersion === undefined ? {} : { expectedVersion };
  return { thread, root, prompt, model, mode, questions, waitMs, ...expected };
}
