import { systemFailure } from "@retake/runtime";
import { CommandError, EndedWith, EXIT } from "./command.ts";
import { standardOutput } from "./standard-output.ts";

/** Tells why a command did not do what was asked, and answers its exit code. */
export function reportFailure(error: unknown, json: boolean): number {
  if (error instanceof EndedWith) return error.exit;
  const known = error instanceof CommandError ? error : undefined;
  const failure = known ? undefined : systemFailure(error);
  const code = known?.code ?? failure?.code ?? (error as { code?: string }).code ?? "failed";
  const message = failure?.message ?? (error instanceof Error ? error.message : String(error));
  if (json)
    standardOutput().write(
      `${JSON.stringify({ error: { code, message, ...(known?.details ? { details: known.details } : {}) } })}\n`,
    );
  else process.stderr.write(`${message}\n`);
  return known?.exit ?? EXIT.failed;
}
