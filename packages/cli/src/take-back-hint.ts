import { type TakenBack, takeBackCommand } from "@retake/client/screen";
import type { Call } from "./command.ts";
import { typedName } from "./typed-name.ts";

/** The line that says how the operation of an answer is taken back; none where it made none. */
export function* takeBackHint(
  { options, output }: Pick<Call, "options" | "output">,
  answer: Pick<TakenBack, "taken_back_by" | "taken_back_with">,
): Iterable<string> {
  const command = takeBackCommand(answer);
  if (command === undefined) return;
  const { thread } = options;
  const where = typeof thread === "string" && thread !== output.shownThread ? ` --thread ${typedName(thread)}` : "";
  yield output.hint(`Take this back: ${command}${where}`);
}
