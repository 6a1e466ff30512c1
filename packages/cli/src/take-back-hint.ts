import type { TakenBackBy } from "@retake/runtime";
import type { Call } from "./command.ts";
import { typedName } from "./typed-name.ts";

/** The line that says how an operation is taken back. */
export function takeBackHint({ options, output }: Pick<Call, "options" | "output">, by: TakenBackBy): string {
  const { thread } = options;
  const where = typeof thread === "string" && thread !== output.shownThread ? ` --thread ${typedName(thread)}` : "";
  return output.hint(`Take this back: ${COMMANDS[by]}${where}`);
}

const COMMANDS = { undo: "retake undo", "undo-step": "retake undo --step", redo: "retake redo" } as const;
