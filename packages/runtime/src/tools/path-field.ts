import type { JsonObject } from "@retake/core";

/** How every tool asks for a path. */
export const pathField: JsonObject = {
  type: "string",
  minLength: 1,
  maxLength: 4096,
  description: "Relative to the workspace.",
};

/** Checks a path beyond the schema. */
export function pathProblemIn(path: string | undefined): string | undefined {
  return path?.includes("\0") ? "A path cannot hold a NUL character." : undefined;
}
