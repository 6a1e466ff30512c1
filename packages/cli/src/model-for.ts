import { activeTake, setting } from "@retake/core";
import { directories, type Model, openConfig, openModel, SCRIPTED_MODEL } from "@retake/runtime";
import { type Call, CommandError, EXIT } from "./command.ts";

/**
 * The model that a turn goes to: named by the call, by who calls (the turn that is tried again), by the take, by
 * the environment, by the configuration, or the embedded one.
 */
export async function modelFor({ retake, options }: Call, thread: string, otherwise?: string): Promise<Model> {
  const { model, models } = await openConfig(directories().config);
  const chosen = retake.read(thread, ({ state }) => setting(state, activeTake(state), "model"));
  const named = options["model"] ?? otherwise ?? (chosen || process.env["RETAKE_MODEL"] || (model ?? SCRIPTED_MODEL));
  const opened = await openModel(String(named), { environment: process.env, config: models });
  if (opened.kind === "refused") throw new CommandError(EXIT.usage, opened.code, opened.message);
  return opened.model;
}
