import { cut } from "./output.ts";

/** Two lists of lines next to each other, each cut to half of the width. */
export function sideBySide(left: readonly string[], right: readonly string[], width: number): string[] {
  const half = Math.floor((width - 3) / 2);
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    const [a, b] = [cut(left[index] ?? "", half), cut(right[index] ?? "", half)];
    return `${a}${" ".repeat(half - [...a].length)} │ ${b}`.trimEnd();
  });
}
