/** Something that is not as it should be. */
export interface Problem {
  readonly code: ProblemCode;
  /** What is wrong, and what can be done about it. */
  readonly message: string;
  readonly thread?: string;
  /** Whether `retake doctor --repair` mends it; it mends only what loses nothing. */
  readonly repairable: boolean;
}

export type ProblemCode =
  /** The store cannot be opened at all; the message says why. */
  | "unopenable"
  | "damaged-file"
  | "broken-reference"
  /** A thread of version 0.1.0 could not be converted. */
  | "damaged-thread"
  /** An operation is not what was committed. */
  | "damaged-operation"
  /** What is shown of a thread is not what its operations lead to. */
  | "wrong-records"
  | "missing-capture"
  /** A capture is not what it is named after. */
  | "damaged-capture"
  | "damaged-content"
  | "damaged-session"
  | "search-index"
  | "interrupted-restore"
  | "interrupted-turn"
  | "left-stage"
  | "open-to-others";
