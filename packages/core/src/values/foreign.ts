import { type Check, object } from "./check.ts";
import { nameOf, textProblem } from "./text.ts";

/**
 * Values from outside that are stored unchanged (open keys of entries, tool inputs) must be JSON that reads back as the
 * same value after it was stored or sent.
 */

const DEEPEST = 64;
const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);

/** Describes the problem of a value, in words that follow its name; undefined for a valid value. */
export function foreignProblem(value: unknown, depth = 0): string | undefined {
  if (value === null || typeof value === "boolean") return undefined;
  if (typeof value === "string") return textProblem(value);
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `is ${value}, which JSON cannot hold`;
  if (typeof value !== "object") return `is ${nameOf(value)}, which JSON cannot hold`;
  if (depth >= DEEPEST) return `is nested more than ${DEEPEST} levels deep`;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const problem = foreignProblem(value[index], depth + 1);
      if (problem) return `[${index}] ${problem}`;
    }
    return undefined;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return "is not a plain object";
  for (const key of Object.keys(value)) {
    const problem = keyProblem(key) ?? foreignProblem((value as Record<string, unknown>)[key], depth + 1);
    if (problem) return `.${key.slice(0, 80)} ${problem}`;
  }
  return undefined;
}

/** A check for an object that reads back as the same one. */
export const plain: Check = (value) => object(value) ?? foreignProblem(value);

function keyProblem(key: string): string | undefined {
  if (FORBIDDEN.has(key)) return "is a key that no record may have";
  return textProblem(key, 256);
}
