/** A problem in the stored data. */
export interface Problem {
  readonly code: ProblemCode;
  /** The problem, and the remedy. */
  readonly message: string;
  readonly thread?: string;
  /** Whether `retake doctor --repair` repairs it; it repairs only what loses nothing. */
  readonly repairable: boolean;
}

export type ProblemCode =
  /** The store cannot be opened at all; the message says why. */
  | "unopenable"
  | "damaged-file"
  | "broken-reference"
  /** A thread of version 0.1.0 could not be converted. */
  | "damaged-thread"
  /** An operation differs from what was committed. */
  | "damaged-operation"
  /** The records of a thread differ from what its operations lead to. */
  | "wrong-records"
  | "missing-capture"
  /** A capture differs from what its name says. */
  | "damaged-capture"
  | "damaged-content"
  | "damaged-attachment"
  /** A content that entries attach was kept on this machine and is gone. */
  | "missing-attachment"
  | "damaged-session"
  | "search-index"
  | "interrupted-restore"
  | "interrupted-turn"
  | "left-stage"
  | "open-to-others";
