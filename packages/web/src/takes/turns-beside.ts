interface OfTurn {
  readonly turn_id?: string | undefined;
}

/** The entries of two takes, turn by turn beside each other; a take with fewer turns has empty places at the end. */
export function turnsBeside<Entry extends OfTurn>(
  a: readonly Entry[],
  b: readonly Entry[],
): { readonly a: readonly Entry[]; readonly b: readonly Entry[] }[] {
  const [left, right] = [turnsOf(a), turnsOf(b)];
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => ({
    a: left[index] ?? [],
    b: right[index] ?? [],
  }));
}

/** Entries without a turn belong to the one before them. */
function turnsOf<Entry extends OfTurn>(entries: readonly Entry[]): Entry[][] {
  const turns: Entry[][] = [];
  let current: string | undefined;
  for (const entry of entries) {
    const begins = turns.length === 0 || (entry.turn_id !== undefined && entry.turn_id !== current);
    if (begins) turns.push([]);
    current = entry.turn_id ?? current;
    turns.at(-1)?.push(entry);
  }
  return turns;
}
