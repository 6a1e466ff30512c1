/** How many operations of each store a reader has seen. */
export interface Position {
  readonly shared: number;
  readonly private: number;
}

/**
 * A reader's position: in the operations of both stores, and in the events of one process. Readers get it as a text and
 * send it back; only the feed interprets the text.
 *
 *   17.3              17 operations of the shared store, 3 of the private one
 *   17.3.k3x9.212     the same, as the 212th event of the process k3x9
 */
export interface Cursor extends Position {
  readonly live?: { readonly process: string; readonly at: number };
}

export function cursorText({ shared, private: own, live }: Cursor): string {
  return live ? `${shared}.${own}.${live.process}.${live.at}` : `${shared}.${own}`;
}

/** Undefined for a text that no feed has made. `0` is the beginning. */
export function parseCursor(text: string): Cursor | undefined {
  const [, shared, own = 0, process, at] = PATTERN.exec(text) ?? [];
  if (shared === undefined) return undefined;
  const position = { shared: Number(shared), private: Number(own) };
  return process === undefined ? position : { ...position, live: { process, at: Number(at) } };
}

const PATTERN = /^(\d{1,15})(?:\.(\d{1,15})(?:\.([0-9a-z]{1,16})\.(\d{1,15}))?)?$/;

/** Whether the first has seen nothing that the second has not seen. */
export function isUpTo(one: Position, other: Position): boolean {
  return one.shared <= other.shared && one.private <= other.private;
}
