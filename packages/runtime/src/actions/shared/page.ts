import { listPage, type Page } from "../../answers/list-page.ts";
import { ActionError } from "../../host/action-error.ts";

export interface PageQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The part of a list that was asked for, and the cursor that goes on after it. */
export function pageOf<T>(
  list: Iterable<T>,
  idOf: (each: T) => string,
  query: PageQuery,
  isEnough?: () => boolean,
): Page<T> {
  const page = listPage(list, idOf, query, isEnough);
  if (!page) throw wrongCursor();
  return page;
}

export function wrongCursor(): ActionError {
  return new ActionError("invalid-input", "The cursor is not in the list. Begin again without it.");
}

/** A page begins at one end of a list, or at one item of it. */
export function requireOneEnd(ends: readonly unknown[]): void {
  if (ends.filter((each) => each !== undefined).length > 1)
    throw new ActionError("invalid-input", "Say before, after, last or cursor, one of them.");
}

export function cursorOf<T>({ cursor }: Page<T>): { cursor?: string } {
  return cursor === undefined ? {} : { cursor };
}
