/** The request and answer of one client, with the times of its invocation and its response. */
export interface RecordedCall {
  readonly client: string;
  readonly asked: Asked;
  /** The version it was to be done at only (`If-Match`). */
  readonly expected?: number;
  /** Asked for twice with the same key: both are recorded. */
  readonly key?: string;
  readonly invoked: number;
  readonly returned: number;
  readonly answer: Answered;
}

export type Asked =
  | { readonly kind: "insert"; readonly entry: string; readonly content: string }
  | { readonly kind: "edit"; readonly entry: string; readonly content: string }
  | { readonly kind: "draft"; readonly text: string }
  | { readonly kind: "undo" }
  | { readonly kind: "turn"; readonly prompt: string }
  | { readonly kind: "retry"; readonly prompt: string }
  | { readonly kind: "read-entries" }
  | { readonly kind: "read-thread" };

export type Answered =
  /** `operation` is null where there was nothing to do; a retry has begun a turn too. */
  | {
      readonly kind: "changed";
      readonly version: number;
      readonly operation: string | null;
      readonly turn?: string | undefined;
    }
  | { readonly kind: "queued"; readonly version: number; readonly turn: string }
  | { readonly kind: "entries"; readonly version?: number; readonly entries: readonly (readonly [string, string])[] }
  | { readonly kind: "thread"; readonly version: number; readonly head: string | null; readonly count: number }
  | { readonly kind: "refused"; readonly code: string; readonly message: string };
