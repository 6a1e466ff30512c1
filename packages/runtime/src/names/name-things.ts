import { activeTake, entryName, type State, turn, turnName } from "@retake/core";
import type { NameScope } from "../store/name-index.ts";

/** `#7`; the id of a turn whose number another turn has here, because two machines worked apart. */
export function nameOfTurn(scope: NameScope, id: string): string {
  const number = scope.index.turn(scope.thread, id)?.number;
  return number !== undefined && meantBy(scope, number)?.id === id ? turnName(number) : id;
}

/** Entries of one take have different names; entries of two takes may share one. */
export function nameOfEntry(scope: NameScope, id: string): string {
  return entryNames(scope)(id);
}

/** The same for many entries: each turn is looked up once. */
export function entryNames({ thread, index }: NameScope): (id: string) => string {
  const numbers = new Map<string, number | undefined>();
  const numberOf = (turn: string) => {
    if (!numbers.has(turn)) numbers.set(turn, index.turn(thread, turn)?.number);
    return numbers.get(turn);
  };
  return (id) => entryName(id, numberOf);
}

export function nameOfOperation({ thread, index }: NameScope, id: string): string {
  return index.operationName(thread, id);
}

/** The turn that a number means: the only one that has it, or that of the active take, where every number is given once. */
export function meantBy({ thread, index, history: { state } }: NameScope, number: number) {
  const found = index.numbered(thread, number);
  return found.length === 1 ? found[0] : found.find(({ id }) => isIn(state, id));
}

function isIn(state: State, id: string): boolean {
  return turn(state, activeTake(state), id) !== undefined;
}
