/**
 * One number for how far a reader has come in both stores. Each part only grows, so the number only grows,
 * and it names exactly what was seen whichever of the two was read first.
 *
 *   number = shared * 2^22 + private       a safe integer up to 2^31 shared and 2^22 private operations
 */
export interface Position {
  readonly shared: number;
  readonly private: number;
}

const PRIVATE = 2 ** 22;

export function toSequence({ shared, private: own }: Position): number {
  return shared * PRIVATE + own;
}

export function fromSequence(sequence: number): Position {
  return { shared: Math.floor(sequence / PRIVATE), private: sequence % PRIVATE };
}

/** As far as either has come, in each of the stores. */
export function laterOf(one: Position, other: Position): Position {
  return { shared: Math.max(one.shared, other.shared), private: Math.max(one.private, other.private) };
}
