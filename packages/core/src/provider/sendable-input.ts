import { isObject, type Json, type JsonObject } from "../values/json.ts";

/** Returns a tool's input as an object that every provider can parse: the same object when it is one already. */
export function sendableInput(input: Json): JsonObject {
  const mended = mend(input, 0);
  return isObject(mended) ? mended : { input: mended };
}

/** Deeper nesting overflows parsers (Gemini's holds a hundred levels, two or three for each of ours). */
const DEEPEST = 30;

function mend(value: Json, depth: number): Json {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return "(nested too deep to send)";
  if (Array.isArray(value)) {
    const items = value.map((item) => mend(item, depth + 1));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let changed = false;
  const members = Object.entries(value).map(([key, member]) => {
    const mended = [key.toWellFormed(), mend(member, depth + 1)] as const;
    changed ||= mended[0] !== key || mended[1] !== member;
    return mended;
  });
  return changed ? Object.fromEntries(members) : value;
}
