import { chosenModel, type Model, modelSettings, openModel } from "@retake/runtime";
import { type Call, CommandError, EXIT } from "./command.ts";

/** The model that a turn of the thread goes to, or of one that is about to begin. */
export async function modelFor(
  { workspace, options, world }: Call,
  thread?: string,
  otherwise?: string,
): Promise<Model> {
  const settings = await modelSettings(workspace.store.directories.config, world.environment);
  const asked = typeof options["model"] === "string" ? options["model"] : otherwise;
  const name =
    thread === undefined
      ? chosenModel(undefined, asked, settings)
      : workspace.store.read(thread, ({ state }) => chosenModel(state, asked, settings));
  const opened = await openModel(name, settings);
  if (opened.kind === "refused") throw new CommandError(EXIT.usage, opened.code, opened.message);
  return opened.model;
}
