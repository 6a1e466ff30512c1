import { type Check, labelled } from "../values/check.ts";
import { isObject, type JsonObject } from "../values/json.ts";
import { nameOf } from "../values/text.ts";

/**
 * Everything that is stored or sent names its format and its version (S3).
 *
 * Data of an older version is upgraded step by step to the present one, with defaults for what it lacks. Data of a
 * newer version cannot be understood, so it is left as it is, and the reader says so. Version 1 of every format stays
 * in `fixtures/` for ever.
 */
export interface Format<T> {
  readonly name: string;
  readonly version: number;
  /**
   * `upgrades[n]` makes version n + 2 from version n + 1. Empty when one value alone does not hold enough to be
   * upgraded.
   */
  readonly upgrades: readonly ((older: JsonObject) => JsonObject)[];
  readonly defaults: JsonObject;
  readonly check: Check;
  /** Converts JSON that has passed the check. */
  readonly read: (json: JsonObject) => T;
  readonly write: (value: T) => JsonObject;
}

export type Decoded<T> = { readonly kind: "decoded"; readonly value: T } | DecodeFailure;

export interface DecodeFailure {
  readonly kind: "unreadable";
  readonly code: "newer-version" | "malformed";
  readonly message: string;
}

export function encode<T>(format: Format<T>, value: T): JsonObject {
  return { format: format.name, format_version: format.version, ...format.write(value) };
}

export function decode<T>(format: Format<T>, json: unknown): Decoded<T> {
  if (!isObject(json)) return malformed(format, `is ${nameOf(json)}, not an object`);
  const { format: name, format_version: version, ...rest } = json;
  if (name !== format.name) return malformed(format, `says it is ${JSON.stringify(name ?? null).slice(0, 80)}`);
  if (!Number.isInteger(version) || (version as number) < 1) return malformed(format, "does not say its version");
  if ((version as number) > format.version) {
    return {
      kind: "unreadable",
      code: "newer-version",
      message: `This ${format.name} was written by a newer Retake (version ${version} of the format; this one reads up to ${format.version}). It was left as it is: update Retake to read it.`,
    };
  }
  const upgrades = format.upgrades.slice((version as number) - 1);
  // A single operation of an old log does not hold enough: `LogUpgrade` reads it together with those before it.
  if ((version as number) + upgrades.length < format.version)
    return malformed(format, `is in version ${version}, which is read only with all that it belongs to`);
  let current: JsonObject = rest;
  for (const upgrade of upgrades) current = upgrade(current);
  current = { ...format.defaults, ...current };
  const problem = labelled("it", format.check(current));
  return problem === undefined ? { kind: "decoded", value: format.read(current) } : malformed(format, problem);
}

/** Reads JSON of the present version that `decode` has accepted before, without checking it again. */
export function decodeAgain<T>(format: Format<T>, json: JsonObject): T {
  const { format: _, format_version: __, ...rest } = json;
  return format.read({ ...format.defaults, ...rest });
}

function malformed<T>(format: Format<T>, problem: string): DecodeFailure {
  return {
    kind: "unreadable",
    code: "malformed",
    message: `This is not a readable ${format.name}: ${problem}. It was left as it is.`,
  };
}
