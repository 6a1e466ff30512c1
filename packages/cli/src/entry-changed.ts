import { type Changed, sayChanged } from "./changed.ts";
import type { Call } from "./command.ts";

/** Asks an action to say beforehand what its change breaks for the model (X7). */
export const EFFECTS = { effects: true } as const;

export function sayEntryChanged(
  call: Call,
  answer: Changed & { readonly effects?: Readonly<Record<string, unknown>> | undefined },
  lines: readonly string[] = [],
): void {
  const summary = answer.effects?.["summary"];
  const warning = summary ? [call.output.style("yellow", `  For the model: ${summary}`)] : [];
  sayChanged(call, answer, [...lines, ...warning]);
}
