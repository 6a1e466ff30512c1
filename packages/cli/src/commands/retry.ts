import { conflictMessage, type FilesAnswer, type TakenBackAnswer } from "@retake/runtime";
import { ClientTurns } from "../client-turns.ts";
import { type Command, CommandError, EXIT, textOption, wrongUsage } from "../command.ts";
import { fileLines } from "../file-lines.ts";
import { findClient } from "../find-client.ts";
import { plural } from "../output.ts";
import { MODEL_OPTION } from "../usable-model.ts";
import { APPROVING, sayEnded, watchTurn } from "../watch-turn.ts";

export const command: Command = {
  name: "retry",
  group: "turns",
  summary: "Take the last turn back with its files, and try again: same prompt or another, same model or another",
  usage: "[prompt]",
  options: {
    ...MODEL_OPTION,
    ...APPROVING,
  },
  examples: [
    ["retake retry --yes", "the same prompt again"],
    ['retake retry --yes "write plan.txt: a better plan"', "another prompt in its place"],
  ],
  async run(call) {
    const { thread, output, args } = call;
    const prompt = args.length > 0 ? args.join(" ") : undefined;
    if (prompt?.trim() === "") throw wrongUsage("The prompt is empty. Nothing was changed.");
    const turn = { thread, prompt, model: textOption(call, "model") };
    const turns = new ClientTurns(call, await findClient(call));
    const onTakenBack = (answer: TakenBackAnswer) =>
      output.say({ type: "turn-taken-back", ...answer }, () => [
        `${output.style("green", "✓")} Took back the last turn: ${plural(answer.messages_removed, "entry", "entries")}`,
        ...fileLines(call, answer),
      ]);
    const { ended, denied } = await watchTurn(call, thread, (watch) =>
      turns.retry(turn, { ...watch, onTakenBack }).catch(sayWhatToDo),
    );
    if (!output.json) output.line(output.hint("retake undo brings the first answer back, with its files"));
    sayEnded(ended, denied);
  },
};

/** A retry has no options for conflicts: an undo has. */
function sayWhatToDo(error: unknown): never {
  if (!(error instanceof CommandError && error.code === "conflict")) throw error;
  const answer = error.details as FilesAnswer;
  const next =
    "Choose what becomes of them, and run the prompt again: retake undo --on-conflict keep, merge or overwrite.";
  throw new CommandError(EXIT.conflicts, "conflict", `${conflictMessage(answer)} ${next}`, answer);
}
