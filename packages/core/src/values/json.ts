/** The values of records: what JSON can hold, and nothing else. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** A value of a declared type as JSON, which it consists of. An interface has no index signature, so the compiler does not see it. */
export function asJson(value: object): JsonObject {
  return value as JsonObject;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Deep equality. The order of an object's keys does not matter. */
export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => equal(item, b[index]));
  }
  const left = a as JsonObject;
  const right = b as JsonObject;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && equal(left[key], right[key]));
}

/** The text that hashes are computed from: the same for equal values, whatever the order of their keys. */
export function canonical(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  let members = "";
  if (Array.isArray(value)) {
    for (const each of value) members += `${members === "" ? "" : ","}${canonical(each)}`;
    return `[${members}]`;
  }
  const object = value as JsonObject;
  for (const key of Object.keys(object).sort())
    members += `${members === "" ? "" : ","}${quotedKey(key)}:${canonical(object[key] ?? null)}`;
  return `{${members}}`;
}

/** Most keys need no escapes: every operation is hashed at its commit and at each device that receives it. */
function quotedKey(key: string): string {
  return /^[a-z_]+$/.test(key) ? `"${key}"` : JSON.stringify(key);
}
