import type { TakenBack } from "@retake/client/screen";
import type { FilesAnswer } from "@retake/runtime";
import type { Call } from "./command.ts";
import { fileLines } from "./file-lines.ts";
import { plural } from "./output.ts";
import { takeBackHint } from "./take-back-hint.ts";

/** The answer to every change; with files where it changed any. */
export type Changed = { readonly [Field in keyof FilesAnswer]?: FilesAnswer[Field] | undefined } & Pick<
  TakenBack,
  "taken_back_by" | "taken_back_with"
> & {
    readonly op_id: string | null;
    readonly description?: string | undefined;
    readonly message?: string | undefined;
  };

/** Says that an operation was committed and how to take it back, or why there was nothing to do. */
export function sayChanged(
  call: Pick<Call, "output" | "options">,
  answer: Changed,
  more: readonly string[] = [],
): void {
  const { output } = call;
  output.say(answer, () =>
    answer.message === undefined ? lines(call, answer, more) : [output.inForm(answer.message)],
  );
}

function* lines(call: Pick<Call, "output" | "options">, answer: Changed, more: readonly string[]): Iterable<string> {
  const { output } = call;
  const { op_id, description, files } = answer;
  if (op_id === null) yield `· Would change ${plural(files?.length ?? 0, "file")}; nothing was changed`;
  else {
    yield `${output.style("green", "✓")} ${description}`;
    yield* more;
  }
  if (files) yield* fileLines(call, { files });
  yield* takeBackHint(call, answer);
}
