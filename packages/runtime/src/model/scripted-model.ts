import { answerPrompt } from "./answer-prompt.ts";
import type { Model, ModelRequest } from "./model.ts";
import { playStep } from "./play-step.ts";
import { type Script, type ScriptStep, scriptedStep } from "./script.ts";
import { SCRIPTED_MODEL } from "./scripted-model-name.ts";
import { summarise } from "./summarise.ts";

/**
 * The embedded model: no key, no network, and the same answer to the same request. It carries out the simple
 * instructions of a prompt with the real tools, so that a newcomer can try undo. With a script it gives the script's
 * answers, whatever the prompt.
 */
export function scriptedModel(script?: Script): Model {
  return {
    name: SCRIPTED_MODEL,
    stream: (request) => playStep(stepFor(request, script), request),
  };
}

/** A script contains turns; a summary and a title are none. */
function stepFor(request: ModelRequest, script: Script | undefined): ScriptStep {
  if (request.purpose === "title") return { text: script?.title ?? "" };
  if (request.purpose === "compress") return { text: summarise(request.messages) };
  return script ? scriptedStep(script, request.turn, request.step) : answerPrompt(request);
}
