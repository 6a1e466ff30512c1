import type { RouteName, Routes } from "@retake/client/routes";
import { ActionError } from "@retake/runtime";
import type { Action, ActionAnswer, ActionInput } from "@retake/runtime/actions";
import { refusalOr } from "@retake/runtime/actions/shared/names";
import { type Call, CommandError, EXIT, notFound, wrongUsage } from "./command.ts";
import { conflictError } from "./file-lines.ts";
import { explained } from "./find.ts";

/**
 * Runs the action of a command and returns its answer. A refusal, a conflict or a wait that was too long ends the
 * command.
 */
export async function act<Name extends RouteName>(
  { runtime, workspace }: Pick<Call, "runtime" | "workspace">,
  action: Action<Name>,
  input: Given<ActionInput<Routes[Name]>>,
): Promise<ActionAnswer<Name>> {
  const context = { runtime, root: workspace.root, change: {}, query: {}, body: {} };
  const call = { ...context, ...input } as unknown as Parameters<typeof action>[0];
  const outcome = await outcomeOf(() => refusalOr(() => action(call)));
  if (outcome.kind === "conflicts") throw conflictError(outcome.answer);
  if (outcome.kind === "busy") throw new CommandError(EXIT.failed, "busy", outcome.message);
  if (outcome.kind === "refused") throw explained(outcome);
  return outcome.answer;
}

/** An error of an action has the exit code of the refusal that says the same. */
async function outcomeOf<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    if (error.code === "not-found") throw notFound(error.message);
    if (error.code === "invalid-input") throw wrongUsage(error.message);
    throw error;
  }
}

/** A query or a body that is not given is empty. */
type Given<Input extends { readonly params: unknown }> = Pick<Input, "params"> &
  Partial<Input> & { readonly signal?: AbortSignal };
