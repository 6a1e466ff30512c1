import type { Prompts } from "./model.ts";

/** So many are listed and can be chosen; more letters narrow them. */
const MOST = 5;

/** The earlier prompts that hold what is searched for, in capitals or not. */
export function foundPrompts({ lines, search = "" }: Prompts): readonly string[] {
  const wanted = search.toLowerCase();
  return lines.filter((each) => each.toLowerCase().includes(wanted)).slice(0, MOST);
}
