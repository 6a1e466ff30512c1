import { planCounts } from "@retake/client/screen";
import { preview } from "@retake/core";
import type { ActionAnswer } from "@retake/runtime/actions";
import type { Call } from "./command.ts";
import { fileLines } from "./file-lines.ts";
import { stayingLines } from "./receipt-lines.ts";
import { takeBackHint } from "./take-back-hint.ts";

/** Says what an undo, redo, revert, jump or restore did, or would do, and how to take that back. */
export function sayTakenBack(call: Pick<Call, "output" | "options">, answer: ActionAnswer<"undo">): void {
  const { output } = call;
  output.say(answer, () =>
    answer.message === undefined ? lines(call, answer) : [output.inForm(answer.message), ...fileLines(call, answer)],
  );
}

function* lines(call: Pick<Call, "output" | "options">, answer: ActionAnswer<"undo">): Iterable<string> {
  const { output } = call;
  const { op_id, description, returned_prompt } = answer;
  if (description !== undefined)
    yield op_id === null
      ? `· Dry run, nothing was changed: ${description}`
      : `${output.style("green", "✓")} ${description}`;
  const counted = planCounts(answer);
  if (counted !== "") yield `  ${counted}`;
  yield* fileLines(call, answer);
  const { effects = [], uncovered = [] } = answer.receipt ?? {};
  const how = op_id === null ? "cannot be taken back" : "was not taken back";
  for (const line of stayingLines(output, { effects, uncovered }, how)) yield `  ${line}`;
  if (returned_prompt !== undefined)
    yield `  The prompt is your draft again: "${preview({ content: returned_prompt })}"`;
  yield* takeBackHint(call, answer);
}
