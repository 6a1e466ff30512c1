import { isRefusal, planRetry } from "@retake/core";
import { conflictMessage, type FilesAnswer } from "@retake/runtime";
import { ClientTurns } from "../client-turns.ts";
import { type Command, CommandError, EXIT, refused, wrongUsage } from "../command.ts";
import { fileLines } from "../file-lines.ts";
import { findClient } from "../find-client.ts";
import { modelFor } from "../model-for.ts";
import { plural } from "../output.ts";
import { APPROVING, sayEnded, watchTurn } from "../watch-turn.ts";

export const command: Command = {
  name: "retry",
  group: "turns",
  summary:
    "Take the last turn back, files and all, and try it again: the same prompt or another, the same model or another",
  usage: "[prompt]",
  options: {
    model: {
      type: "string",
      value: "provider/model",
      names: "model",
      about: "the model that answers; otherwise the one that is configured",
    },
    ...APPROVING,
  },
  examples: [
    ["retake retry --yes", "the same prompt again"],
    ['retake retry --yes "write plan.txt: a better plan"', "another prompt in its place"],
  ],
  async run(call) {
    const { workspace, thread, output, args } = call;
    const planned = workspace.store.read(thread, (history) => planRetry(history));
    if (isRefusal(planned)) throw refused(planned);
    const prompt = args.length > 0 ? args.join(" ") : planned.prompt;
    if (prompt.trim() === "") throw wrongUsage("The prompt is empty. Nothing was changed.");
    const model = await modelFor(call, thread, planned.model);
    const turns = new ClientTurns(call, await findClient(call));
    const { ended, denied } = await watchTurn(call, thread, (watch) =>
      turns.retry(
        { thread, prompt, model },
        {
          ...watch,
          onTakenBack: (answer) =>
            output.say({ type: "turn-taken-back", ...answer }, () => [
              `${output.style("green", "✓")} Took back the last turn: ${plural(answer.messages_removed, "entry", "entries")}`,
              ...fileLines(call, answer),
            ]),
        },
      ),
    );
    if ("kind" in ended && ended.kind === "conflicts") throw conflictsWith(ended.answer);
    if (!output.json) output.line(output.hint("retake undo brings the first answer back, with its files"));
    sayEnded(ended, denied);
  },
};

function conflictsWith(answer: FilesAnswer): CommandError {
  const next =
    "Choose what becomes of them, and run the prompt again: retake undo --on-conflict keep, merge or overwrite.";
  return new CommandError(EXIT.conflicts, "conflict", `${conflictMessage(answer)} ${next}`, answer);
}
