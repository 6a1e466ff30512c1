/**
 * The shortest beginning by which an id can be told apart from all others; `around` are those right before and after it in
 * their order. Not shorter than eight characters, because the next id made may share a few.
 */
export function shortId(id: string, around: readonly string[]): string {
  return id.slice(0, Math.max(8, ...around.map((other) => 1 + shared(id, other))));
}

function shared(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
