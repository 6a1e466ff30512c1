import type { z } from "zod";
import { RequestError } from "./request-error.ts";

/** Parses an input by a schema. Throws an error with the place and reason of each problem. */
export function checkInput(what: "body" | "query", schema: z.ZodType, value: unknown): unknown {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const problems = checked.error.issues.slice(0, 20).map(({ path, message }) => ({
    path: path.map(String).join("."),
    message,
  }));
  const [first] = problems;
  const where = first?.path ? `${what}: ${first.path}` : `The ${what}`;
  throw new RequestError(400, "invalid-input", `${where}: ${first?.message}. Nothing was changed.`, { problems });
}
