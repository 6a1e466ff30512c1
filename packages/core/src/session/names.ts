/**
 * The names that people use for the parts of a thread. A name is derived from ids, from the numbers of turns and from
 * hashes. So it is the same on every machine, and no edit, insertion, undo or redo changes it.
 *
 *     #7       a turn; as a point in time, its end (`#7^` is right before it)
 *     #7.0     its prompt
 *     #7.2     its second answer, with the calls that it asks for
 *     #7.2.1   the first call of that answer, and the entry of its result
 *     kqxzmtvw…  an entry that no turn wrote: its id
 *     mzkq     an operation: the first letters of its hash
 */
import { promptEntryId, resultEntryId, stepEntryId } from "./entry-ids.ts";

/** The meaning of a name that holds a number. */
export type NumberedName =
  | { readonly kind: "turn"; readonly number: number }
  | { readonly kind: "entry"; readonly number: number; readonly place: EntryPlace };

/** The place of an entry in its turn. Step 0 is the prompt; `position` is the call's number in its step, from 1. */
export interface EntryPlace {
  readonly step: number;
  readonly position?: number;
}

export function turnName(number: number): string {
  return `#${number}`;
}

/** `numberOf` returns the number of a turn by its id; undefined when the thread never had such a turn. */
export function entryName(id: string, numberOf: (turn: string) => number | undefined): string {
  for (const { turn, step, position } of placesIn(id)) {
    const number = numberOf(turn);
    if (number !== undefined) return `#${number}.${step}${position === undefined ? "" : `.${position}`}`;
  }
  return id;
}

/** The id of the entry at a place of a turn. */
export function entryIdAt(turn: string, { step, position }: EntryPlace): string {
  if (step === 0) return promptEntryId(turn);
  return position === undefined ? stepEntryId(turn, step) : resultEntryId(turn, step, position);
}

/** Reads `#7`, `#7.0`, `#7.2` and `#7.2.1`, also without the `#`, which begins a comment in many shells. */
export function parseNumberedName(text: string): NumberedName | undefined {
  const [, turn, step, position] = /^#?([1-9]\d{0,8})(?:\.(0|[1-9]\d{0,8})(?:\.([1-9]\d{0,8}))?)?$/.exec(text) ?? [];
  if (turn === undefined || (step === "0" && position !== undefined)) return undefined;
  const number = Number(turn);
  if (step === undefined) return { kind: "turn", number };
  return {
    kind: "entry",
    number,
    place: { step: Number(step), ...(position === undefined ? {} : { position: Number(position) }) },
  };
}

/** A point in time: a name, or a name followed by `^` for the moment right before it. */
export function parsePoint(text: string): { readonly name: string; readonly before: boolean } {
  return text.endsWith("^") ? { name: text.slice(0, -1), before: true } : { name: text, before: false };
}

/** The digits of a hash as letters that no number has, as jj writes its change ids: 0 is z and f is k. */
const LETTERS = "zyxwvutsrqponmlk";
/** The shortest name of an operation. */
export const FEWEST_LETTERS = 4;

/** The shortest prefix of a hash that differs from its neighbours: all hashes of the thread that begin with the fewest letters. */
export function operationName(hash: string, neighbours: readonly string[]): string {
  const shared = neighbours.map((other) => sharedLength(hash, other));
  const length = Math.max(FEWEST_LETTERS, ...shared.map((count) => count + 1));
  return asLetters(hash.slice(0, length));
}

/** Hexadecimal digits as letters. */
export function asLetters(digits: string): string {
  return [...digits].map((digit) => LETTERS[Number.parseInt(digit, 16)]).join("");
}

/** The prefix of a hash that the letters spell; undefined when they cannot be an operation's name. */
export function hashPrefix(letters: string): string | undefined {
  if (!/^[k-z]{4,64}$/.test(letters)) return undefined;
  return [...letters].map((letter) => LETTERS.indexOf(letter).toString(16)).join("");
}

/** The places that an id may name. Ids of turns may contain dots, so there can be two. */
function* placesIn(id: string): Generator<{ readonly turn: string } & EntryPlace> {
  const prompt = /^(.+)\.prompt$/.exec(id)?.[1];
  if (prompt !== undefined) yield { turn: prompt, step: 0 };
  const [, ofCall, callStep, position] = /^(.+)\.([1-9]\d{0,8})\.([1-9]\d{0,8})$/.exec(id) ?? [];
  if (ofCall !== undefined) yield { turn: ofCall, step: Number(callStep), position: Number(position) };
  const [, ofStep, step] = /^(.+)\.([1-9]\d{0,8})$/.exec(id) ?? [];
  if (ofStep !== undefined) yield { turn: ofStep, step: Number(step) };
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
