import { isObject, type JsonObject } from "@retake/core";

/** The answers of the scripted model, turn by turn and step by step (INTERFACE.md, "Models"). */
export interface Script {
  readonly turns: readonly { readonly steps: readonly ScriptStep[] }[];
  /** The answer when a title of the thread is asked for; without one the thread keeps its title. */
  readonly title?: string;
}

/** One answer: it waits, thinks, speaks, calls, and then ends or fails. */
export interface ScriptStep {
  readonly thinking?: string;
  readonly text?: string;
  readonly tool_calls?: readonly { readonly name: string; readonly input: JsonObject }[];
  /** The code of a model error. */
  readonly error?: string;
  readonly delay_ms?: number;
}

/** The script's step for a turn and a step, both counted from 1. It starts again after its last turn. */
export function scriptedStep(script: Script, turn: number, step: number): ScriptStep {
  const played = script.turns[(turn - 1) % script.turns.length];
  return played?.steps[step - 1] ?? {};
}

/** Why a value is not a valid script, with the place; undefined when it is. */
export function scriptProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "the script must be an object with `turns`";
  const { turns, title } = value;
  if (title !== undefined && typeof title !== "string") return "`title` must be a text";
  if (!Array.isArray(turns) || turns.length === 0) return "`turns` must be a list of at least one turn";
  return first(turns, "turns", (turn, place) => {
    if (!isObject(turn) || !Array.isArray(turn["steps"])) return `\`${place}.steps\` must be a list`;
    return first(turn["steps"], `${place}.steps`, stepProblem);
  });
}

const LONGEST_DELAY = 24 * 60 * 60 * 1000;

function stepProblem(step: unknown, place: string): string | undefined {
  if (!isObject(step)) return `\`${place}\` must be an object`;
  for (const key of ["thinking", "text", "error"]) {
    if (step[key] !== undefined && typeof step[key] !== "string") return `\`${place}.${key}\` must be a text`;
  }
  const { delay_ms: delay = 0, tool_calls: calls = [] } = step;
  if (typeof delay !== "number" || !(delay >= 0 && delay <= LONGEST_DELAY)) {
    return `\`${place}.delay_ms\` must be a number from 0 to ${LONGEST_DELAY}`;
  }
  if (!Array.isArray(calls)) return `\`${place}.tool_calls\` must be a list`;
  return first(calls, `${place}.tool_calls`, (call, at) => {
    if (!isObject(call) || typeof call["name"] !== "string" || call["name"] === "") {
      return `\`${at}.name\` must be the name of a tool`;
    }
    return isObject(call["input"]) ? undefined : `\`${at}.input\` must be an object`;
  });
}

function first(
  list: readonly unknown[],
  place: string,
  problem: (item: unknown, place: string) => string | undefined,
): string | undefined {
  for (const [index, item] of list.entries()) {
    const found = problem(item, `${place}[${index}]`);
    if (found !== undefined) return found;
  }
  return undefined;
}
