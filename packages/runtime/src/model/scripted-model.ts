import { answerPrompt } from "./answer-prompt.ts";
import type { Model } from "./model.ts";
import { playStep } from "./play-step.ts";
import { type Script, scriptedStep } from "./script.ts";

export const SCRIPTED_MODEL = "scripted/default";

/**
 * The embedded model: no key, no network, and the same answer to the same request. It carries out the
 * simple instructions of a prompt with the real tools, so that a newcomer can try what undo does; with
 * a script it says what the script says, whatever it is asked.
 */
export function scriptedModel(script?: Script): Model {
  return {
    name: SCRIPTED_MODEL,
    stream: (request) =>
      playStep(script ? scriptedStep(script, request.turn, request.step) : answerPrompt(request), request),
  };
}
