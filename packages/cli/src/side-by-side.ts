import { cut, padded } from "@retake/tui/text";

/** Two lists of lines next to each other, each cut to half of the width. */
export function sideBySide(left: readonly string[], right: readonly string[], width: number): string[] {
  const half = Math.floor((width - 3) / 2);
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    return `${padded(cut(left[index] ?? "", half), half)} │ ${cut(right[index] ?? "", half)}`.trimEnd();
  });
}
