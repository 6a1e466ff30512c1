/**
 * A file's content as lines, byte for byte: one character per byte, each line with its terminator. Joining the lines
 * gives the same content, whatever its encoding or line endings.
 */
export function textLines(content: Buffer): string[] {
  const text = content.toString("latin1");
  const lines: string[] = [];
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    lines.push(text.slice(start, end + 1));
    start = end + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

export function joinLines(lines: readonly string[]): Buffer {
  return Buffer.from(lines.join(""), "latin1");
}

/** Above this size a merge by lines costs more memory than the result is worth. */
const LARGEST_TEXT = 16 * 1024 * 1024;

/** Content without a NUL byte, small enough to compare line by line. */
export function isText(content: Buffer): boolean {
  return content.length <= LARGEST_TEXT && !content.includes(0);
}

/** Gives equal lines equal numbers, so that comparing lines is comparing numbers. */
export class LineNumbers {
  readonly #numbers = new Map<string, number>();

  of(lines: readonly string[]): Int32Array {
    const numbers = this.#numbers;
    const result = new Int32Array(lines.length);
    for (const [index, line] of lines.entries()) {
      let number = numbers.get(line);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(line, number);
      }
      result[index] = number;
    }
    return result;
  }
}
