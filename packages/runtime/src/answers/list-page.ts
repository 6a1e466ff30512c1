/** A part of a list, as both the command line and HTTP give it. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page; present when more follows. */
  readonly cursor?: string;
}

/**
 * The whole list unless a limit is given, after the item that `cursor` names; undefined when none is called so. Reads no more.
 * `isEnough`: a page may end here, before its limit.
 */
export function listPage<T>(
  list: Iterable<T>,
  idOf: (each: T) => string,
  { limit = Infinity, cursor }: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  isEnough: () => boolean = () => false,
): Page<T> | undefined {
  const items: T[] = [];
  let begun = cursor === undefined;
  for (const each of list) {
    const last = items.at(-1);
    if (last !== undefined && (items.length >= limit || isEnough())) return { items, cursor: idOf(last) };
    if (begun) items.push(each);
    begun ||= idOf(each) === cursor;
  }
  return begun ? { items } : undefined;
}
