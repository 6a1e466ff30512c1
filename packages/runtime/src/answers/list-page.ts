/** A part of a list, as both the command line and HTTP give it. */
export interface Page<T> {
  readonly items: readonly T[];
  /** How many follow; 0 when the list is at its end. */
  readonly more: number;
  /** What goes on behind this page; given when more follows. */
  readonly cursor?: string;
}

/** The whole list unless a limit is given, behind the item that `cursor` names; undefined when none is called so. */
export function listPage<T>(
  list: readonly T[],
  idOf: (each: T) => string,
  { limit, cursor }: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
): Page<T> | undefined {
  const from = cursor === undefined ? 0 : list.findIndex((each) => idOf(each) === cursor) + 1;
  if (cursor !== undefined && from === 0) return undefined;
  const items = list.slice(from, from + (limit ?? list.length));
  const more = list.length - from - items.length;
  const last = items.at(-1);
  return { items, more, ...(more > 0 && last !== undefined ? { cursor: idOf(last) } : {}) };
}
