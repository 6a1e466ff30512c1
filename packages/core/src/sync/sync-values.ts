import { type Check, fields, list, whole } from "../values/check.ts";
import { idProblem, nameOf } from "../values/text.ts";
import { SYNC_LIMITS } from "./limits.ts";

/** Bytes as lower-case hexadecimal digits. */
export function hex(bytes: number): Check {
  const pattern = new RegExp(`^[0-9a-f]{${bytes * 2}}$`);
  return (value) =>
    typeof value === "string" && pattern.test(value) ? undefined : `must be ${bytes * 2} hexadecimal digits`;
}

/** At most `longest` bytes in base64 with padding. */
export function base64(longest: number): Check {
  return (value) => {
    if (typeof value !== "string") return `must be a text in base64, not ${nameOf(value)}`;
    if (value.length > Math.ceil(longest / 3) * 4) return `is longer than ${longest} bytes`;
    return value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value) ? undefined : "is not base64";
  };
}

/** A key that is encrypted for somebody. */
export const sealedKey = base64(1024);
/** Sealed keys of a device, one for each change of the vault key since it was linked, with spaces between them. */
export const sealedKeys: Check = (value) => {
  if (typeof value !== "string") return `must be a text, not ${nameOf(value)}`;
  const all = value.split(" ");
  if (all.length > SYNC_LIMITS.key_changes) return `has more than ${SYNC_LIMITS.key_changes} keys`;
  return all.map((each) => sealedKey(each)).find((problem) => problem !== undefined);
};
/** The hash of a vault key. */
export const keyId = hex(32);
/** The opaque name of a blob: a keyed hash. */
export const blobName = hex(32);

/** An operation that no other operation of the thread follows, and the number of the segment that brought it. */
export interface ServerHead {
  readonly operation: string;
  readonly seq: number;
}

export const serverHeads = list(fields({ operation: idProblem, seq: whole(1) }));

/** The order of heads that is the same for all devices. The first is the main line of a merge. */
export function byServerOrder(one: ServerHead, other: ServerHead): number {
  return one.seq - other.seq || (one.operation < other.operation ? -1 : 1);
}
