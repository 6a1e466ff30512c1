import type { Entry } from "@retake/core";

/** An entry as JSON: all its fields, also unknown ones. */
export function entryJson({ order: _, ...entry }: Entry): object {
  return entry;
}
