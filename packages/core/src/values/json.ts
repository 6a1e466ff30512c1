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
  for (const key of sorted(Object.keys(object)))
    members += `${members === "" ? "" : ","}${quotedKey(key)}:${canonical(object[key] ?? null)}`;
  return `{${members}}`;
}

/** Most objects have few keys: these are sorted by insertion, because `sort` takes longer to begin than they need. */
function sorted(keys: string[]): string[] {
  if (keys.length > FEW) return keys.sort();
  for (let next = 1; next < keys.length; next += 1) {
    const key = keys[next] as string;
    let at = next;
    for (let before = keys[at - 1]; before !== undefined && before > key; before = keys[at - 1]) {
      keys[at] = before;
      at -= 1;
    }
    keys[at] = key;
  }
  return keys;
}

const FEW = 16;

/** Every operation is hashed at its commit and at each device that receives it, and has the same keys as the others. */
function quotedKey(key: string): string {
  const known = QUOTED.get(key);
  if (known !== undefined) return known;
  const quoted = JSON.stringify(key);
  if (QUOTED.size < MOST_QUOTED) QUOTED.set(key, quoted);
  return quoted;
}

const QUOTED = new Map<string, string>();
const MOST_QUOTED = 1000;
