import { activeTake, setting } from "@retake/core";
import { type Model, openModel, SCRIPTED_MODEL } from "@retake/runtime";
import { type Call, CommandError, EXIT } from "./command.ts";

/** The model that a turn goes to: named by the call, by the take, by who calls, by the environment, or the embedded one. */
export async function modelFor({ retake, options }: Call, thread: string, otherwise?: string): Promise<Model> {
  const chosen = retake.read(thread, ({ state }) => setting(state, activeTake(state), "model"));
  const named = options["model"] ?? otherwise ?? (chosen || process.env["RETAKE_MODEL"] || SCRIPTED_MODEL);
  const opened = await openModel(String(named), { environment: process.env });
  if (opened.kind === "refused") throw new CommandError(EXIT.usage, opened.code, opened.message);
  return opened.model;
}
