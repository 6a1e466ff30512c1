/**
 * Each change of a vault has a number and a mark, which is random. A cursor names both. When the server was restored from
 * an older backup, the number is unknown or has another mark, even if other devices have made new changes since.
 */
export interface ChangeMark {
  readonly change: number;
  readonly mark: string;
}

const START = "0";

export function cursorOf(last: ChangeMark | undefined): string {
  return last ? `${last.change}.${last.mark}` : START;
}

/** The number in a cursor, so that the server can look up its mark. */
export function changeOf(cursor: string | undefined): number {
  const number = Number(/^(\d{1,15})(?:\.|$)/.exec(cursor ?? START)?.[1]);
  return Number.isSafeInteger(number) ? number : 0;
}

/** Decides after which change the answer begins. `marked` is the mark that the server has for `changeOf(cursor)`. */
export function decideChanges(
  cursor: string | undefined,
  marked: string | undefined,
): { readonly kind: "after"; readonly change: number } | { readonly kind: "rewound" } {
  const change = changeOf(cursor);
  if (change === 0) return { kind: "after", change };
  return marked !== undefined && cursor === cursorOf({ change, mark: marked })
    ? { kind: "after", change }
    : { kind: "rewound" };
}
