import type { Built, Context, EditEffects, Operation, Refusal, State } from "@retake/core";
import { explainChange } from "@retake/runtime";
import type { Call } from "./command.ts";

/** Commits a change of single entries, and tells beforehand what it breaks for the model (X7). */
export function changeConversation(
  call: Call,
  build: (state: State, context: Context) => Built,
): {
  readonly done: Operation | Refusal;
  readonly effects: EditEffects | undefined;
  readonly lines: readonly string[];
} {
  const { workspace, thread, output } = call;
  const effects = workspace.store.read(thread, ({ state }) => {
    const trial = build(state, workspace.store.identity.context({ kind: "user" }));
    return trial.kind === "operation" ? explainChange(state, trial.operation) : undefined;
  });
  const lines = effects?.summary ? [output.style("yellow", `  For the model: ${effects.summary}`)] : [];
  return { done: workspace.store.change(thread, build), effects, lines };
}
