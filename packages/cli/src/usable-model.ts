import { chosenModel, directories, modelSettings, openModel } from "@retake/runtime";
import { type Call, CommandError, EXIT, type Options, textOption } from "./command.ts";

export const MODEL_OPTION = {
  model: {
    type: "string",
    value: "provider/model",
    names: "model",
    about: "the model that answers; otherwise the one that is configured",
  },
} as const satisfies Options;

/** The name of the model that a new thread would have; one that cannot be used ends the command. */
export async function usableModel(call: Pick<Call, "options" | "world">): Promise<string> {
  const { environment } = call.world;
  const settings = await modelSettings(directories(environment).config, environment);
  const opened = await openModel(chosenModel(undefined, textOption(call, "model"), settings), settings);
  if (opened.kind === "refused") throw new CommandError(EXIT.usage, opened.code, opened.message);
  return opened.model.name;
}
