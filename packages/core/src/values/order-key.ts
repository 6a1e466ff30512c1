/**
 * Keys that put the entries of a take in order, made so that an insert touches one record.
 *
 * A key is a list of whole numbers, compared one by one; the shorter of two that agree comes first.
 * There is always room between two keys, because numbers go on for ever in both directions:
 *
 *   between [1]    and [2]       [1, 0]       nothing lies between 1 and 2: one level deeper
 *   between [1, 0] and [2]       [1, 64]      a run of inserts counts on, level by level the same
 *   between [1]    and [1, 0]    [1, -64]     … in both directions
 *
 * Every new key ends with the number of the operation that made it. So two keys are never equal,
 * not even when one of them was made in a future that has been undone and comes back later; and an
 * appended key is that number alone, so that what was appended later sorts later, whatever was
 * cleared, undone or brought back in between.
 *
 * Runs of inserts at one place make keys that grow with the logarithm of their number. Someone who
 * inserts in ever narrower gaps can make any such keys long; `needsRoom` says when a key is so long
 * that its neighbourhood should get new ones.
 *
 * The text of a key sorts like its numbers under a plain comparison of code units or bytes, in
 * JavaScript and in SQL alike. A number is written as one letter that says how many base-62 digits
 * follow (a-z for numbers from zero up, Z-A below zero) and the digits.
 */
export type OrderKey = string;

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** How far apart keys of one run are, so that later inserts find room without a level of their own. */
const STEP = 64;
const LONGEST = 96;

/** The key of an entry that comes after all others; `index` tells entries of one operation apart. */
export function appendKey(version: number, index = 0): OrderKey {
  return write(index === 0 ? [version] : [version, index]);
}

/** `count` keys in order, between two neighbours; a missing neighbour is the start or the end. */
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
    // Counted from the closed side; between two closed sides at even distances. Where there are more
    // keys than numbers, keys with the same number are told apart by their index.
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

/** Where new numbers fit: after `prefix`, above `low` and below `high`; a missing side is open. */
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
