/**
 * Keys that define the order of a take's entries. An insert changes only one record.
 *
 * A key is a list of whole numbers, compared one by one; of two that agree, the shorter comes first. There is always
 * room between two keys, because numbers continue without end in both directions:
 *
 *   between [1]    and [2]       [1, 0]       nothing lies between 1 and 2: one level deeper
 *   between [1, 0] and [2]       [1, 64]      a run of inserts counts on at the same level
 *   between [1]    and [1, 0]    [1, -64]     … in both directions
 *
 * Every new key ends with the version of the operation that made it. So two keys are never equal, not even when one was
 * made in a future that was undone and comes back later. An appended key is that number alone, so an entry that was
 * appended later sorts later, whatever was cleared, undone or brought back in between.
 *
 * Runs of inserts at one place make keys that grow with the logarithm of their number. Inserts in ever narrower gaps
 * can make keys long; `needsRoom` tells when a key is so long that the keys around it should be replaced.
 *
 * The text of a key sorts like its numbers under a plain comparison of code units or bytes, in JavaScript and in SQL
 * alike. A number is written as one letter for the count of its base-62 digits (a-z for numbers from zero up, Z-A below
 * zero), followed by the digits.
 */
export type OrderKey = string;

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The distance between keys of one run, so that later inserts find room on the same level. */
const STEP = 64;
const LONGEST = 96;

/** The key of an entry after all others; `index` distinguishes entries of one operation. */
export function appendKey(version: number, index = 0): OrderKey {
  return write(index === 0 ? [version] : [version, index]);
}

/** Returns `count` keys in order, between two neighbours; a missing neighbour means the start or the end. */
export function keysBetween(
  left: OrderKey | undefined,
  right: OrderKey | undefined,
  version: number,
  count: number,
): OrderKey[] {
  if (right === undefined) return Array.from({ length: count }, (_, index) => appendKey(version, index));
  const { prefix, low, high } = gap(left === undefined ? [] : read(left), read(right), left === undefined);
  const keys: OrderKey[] = [];
  for (let index = 0; index < count; index += 1) {
    // Counts from the closed side; between two closed sides, at even distances. When there are more keys than numbers,
    // the index distinguishes keys with the same number.
    const place =
      low === undefined
        ? (high ?? 0) - STEP * (count - index)
        : high === undefined
          ? low + STEP * (index + 1)
          : low + 1 + Math.min(STEP * (index + 1) - 1, Math.floor(((high - low - 1) * (index + 1)) / (count + 1)));
    keys.push(write([...prefix, place, version, ...(index === 0 ? [] : [index])]));
  }
  return keys;
}

export function needsRoom(key: OrderKey): boolean {
  return key.length > LONGEST;
}

/** Finds room for new numbers: after `prefix`, above `low` and below `high`; a missing side is open. */
function gap(left: number[], right: number[], open: boolean): { prefix: number[]; low?: number; high?: number } {
  if (open) return bounds([], undefined, right[0]);
  let shared = 0;
  while (shared < left.length && left[shared] === right[shared]) shared += 1;
  const prefix = left.slice(0, shared);
  const from = left[shared];
  const to = right[shared] ?? 0;
  if (from === undefined) return bounds(prefix, undefined, to);
  if (to - from > 1) return bounds(prefix, from, to);
  return bounds([...prefix, from], left[shared + 1], undefined);
}

function bounds(prefix: number[], low: number | undefined, high: number | undefined) {
  return { prefix, ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }) };
}

function write(numbers: readonly number[]): OrderKey {
  let key = "";
  for (const number of numbers) key += writeNumber(number);
  return key;
}

function writeNumber(number: number): string {
  // -1 is written like 0 counted down: its digits are the largest of their length.
  let rest = number < 0 ? -1 - number : number;
  let digits = "";
  do {
    const digit = rest % 62;
    digits = (DIGITS[number < 0 ? 61 - digit : digit] ?? "") + digits;
    rest = Math.floor(rest / 62);
  } while (rest > 0);
  const head = number < 0 ? 90 - (digits.length - 1) : 97 + (digits.length - 1);
  return String.fromCharCode(head) + digits;
}

function read(key: OrderKey): number[] {
  const numbers: number[] = [];
  let at = 0;
  while (at < key.length) {
    const head = key.charCodeAt(at);
    const negative = head < 97;
    const length = negative ? 91 - head : head - 96;
    let number = 0;
    for (let index = 1; index <= length; index += 1) {
      const digit = DIGITS.indexOf(key[at + index] ?? "");
      number = number * 62 + (negative ? 61 - digit : digit);
    }
    numbers.push(negative ? -1 - number : number);
    at += length + 1;
  }
  return numbers;
}
