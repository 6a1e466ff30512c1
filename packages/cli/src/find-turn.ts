import { activeTake, type State } from "@retake/core";
import { turnNumbers } from "@retake/runtime";
import { notFound } from "./command.ts";

/** The id of a turn of the active take, by its number, `7` or `#7`; undefined for what is no number. */
export function findTurn(state: State, name: string): string | undefined {
  const wanted = /^#?([1-9]\d{0,8})$/.exec(name)?.[1];
  if (wanted === undefined) return undefined;
  const turns = turnNumbers(state, activeTake(state));
  for (const [id, number] of turns) if (number === Number(wanted)) return id;
  throw notFound(`There is no turn ${name}: this take has ${turns.size}. retake history lists them.`);
}
