/** Text that may be stored: well-formed Unicode, and not so long that one value fills a disk. */

export const MAX_TEXT = 16 * 1024 * 1024;
export const MAX_NAME = 200;

/** Describes the problem of a text, in words that follow its name; undefined for a valid text. */
export function textProblem(value: unknown, longest = MAX_TEXT): string | undefined {
  if (typeof value !== "string") return `must be a text, not ${nameOf(value)}`;
  if (value.length > longest) return `is longer than ${longest} characters`;
  if (!value.isWellFormed()) return "holds half of a surrogate pair, which is not valid Unicode";
  return undefined;
}

/** A name is a short text on one line that can be typed on a command line and read in a list. */
export function nameProblem(value: unknown): string | undefined {
  const problem = textProblem(value, MAX_NAME);
  if (problem !== undefined) return problem;
  const name = value as string;
  if (name.trim() === "") return "is empty";
  if (name !== name.trim()) return "begins or ends with a space";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name)) return "holds a control character";
  return undefined;
}

/** At most so many characters of a text, and no half of a surrogate pair. */
export function beginning(text: string, longest: number): string {
  const cut = text.slice(0, longest);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** Ids come from outside too (imports, hooks): short, printable, without the separators of record ids. */
export function idProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return `must be an id, not ${nameOf(value)}`;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(value))
    return "is not an id (letters, digits, '.', '_' and '-', at most 128)";
  return undefined;
}

/** Any value from outside, shortened for use in a message. */
export function quoted(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : nameOf(value);
}

export function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return `a ${typeof value}`;
}

/** A whole number as people read it: 12,345. `toLocaleString` says the same, but loading its tables takes 40 ms. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
