import type { Answer } from "../testing/retake-place.ts";

/** Work that processes reported as done on their standard output. */
export interface Acknowledged {
  readonly operations: readonly string[];
  readonly turns: readonly string[];
  /** The commands that ended, with their exit codes. */
  readonly commands: readonly { readonly args: readonly string[]; readonly exit: number }[];
  readonly errors: readonly { readonly code: string; readonly message: string }[];
}

export function acknowledged(output: string): Omit<Acknowledged, "commands"> {
  const values = output.split("\n").flatMap((line): Answer[] => {
    try {
      return line === "" ? [] : [JSON.parse(line) as Answer];
    } catch {
      // A line that a kill has cut was not acknowledged.
      return [];
    }
  });
  return {
    operations: values.flatMap(({ op_id }) => (typeof op_id === "string" ? [op_id] : [])),
    turns: values.flatMap(({ type, turn_id }) => (type === "turn-finished" ? [turn_id as string] : [])),
    errors: values.flatMap(({ error }) => (error === undefined ? [] : [error])),
  };
}
