import type { Entry } from "@retake/core";

/** An entry as other programs are told of it: all its fields, also those that we do not know. */
export function entryJson({ order: _, ...entry }: Entry): object {
  return entry;
}
