import { activeTake, type State } from "@retake/core";
import { turnNumbers } from "@retake/runtime";
import { notFound } from "./command.ts";

/** The id of a turn of the active take, by its number; undefined for what is no number. */
export function findTurn(state: State, name: string): string | undefined {
  if (!/^[1-9]\d{0,8}$/.test(name)) return undefined;
  const turns = turnNumbers(state, activeTake(state));
  for (const [id, number] of turns) if (number === Number(name)) return id;
  throw notFound(`There is no turn ${name}: this take has ${turns.size}. retake history lists them.`);
}
