import { keyOf, kindOf, type RecordId } from "../session/record.ts";

/** A record that was changed since by something else, in the same field (H11). */
export interface Conflict {
  readonly record: RecordId;
  readonly kind: "entry-edited";
  readonly message: string;
}

export type ConflictPolicy = "abort" | "keep" | "merge" | "overwrite";

export function conflict(record: RecordId, field: string): Conflict {
  const what = field === "" ? "" : ` in its ${field}`;
  return { record, kind: "entry-edited", message: `${kindOf(record)} ${keyOf(record)} was changed${what} since` };
}
