/**
 * The shortest beginnings by which ids can be told apart, all of them, not only those that are shown.
 * Not shorter than eight characters, because the next id made may share a few.
 */
export function shortIds(ids: readonly string[]): (id: string) => string {
  const sorted = [...ids].sort();
  const lengths = new Map<string, number>();
  sorted.forEach((id, index) => {
    const neighbours = [sorted[index - 1] ?? "", sorted[index + 1] ?? ""];
    lengths.set(id, 1 + Math.max(...neighbours.map((other) => shared(id, other))));
  });
  return (id) => id.slice(0, Math.max(8, lengths.get(id) ?? id.length));
}

function shared(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
