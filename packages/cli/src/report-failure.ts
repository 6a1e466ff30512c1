import { systemFailure } from "@retake/runtime";
import { visible, visibleJson, wrapped } from "@retake/tui/text";
import { CommandError, EndedWith, EXIT } from "./command.ts";
import { type HintForm, inForm } from "./hint-form.ts";
import type { World } from "./world.ts";

/** Reports why a command failed, and returns its exit code. */
export function reportFailure(error: unknown, { output, errors }: World, json: boolean, form: HintForm): number {
  if (error instanceof EndedWith) return error.exit;
  const known = error instanceof CommandError ? error : undefined;
  const failure = known ? undefined : systemFailure(error);
  const code = known?.code ?? failure?.code ?? (error as { code?: string }).code ?? "failed";
  const message = failure?.message ?? (error instanceof Error ? error.message : String(error));
  if (json)
    output.write(
      `${visibleJson(JSON.stringify({ error: { code, message, ...(known?.details ? { details: known.details } : {}) } }))}\n`,
    );
  else {
    const width = errors.columns || Number.POSITIVE_INFINITY;
    for (const line of visible(inForm(form, message)).split("\n")) errors.write(`${wrapped(line, width).join("\n")}\n`);
  }
  return known?.exit ?? EXIT.failed;
}
