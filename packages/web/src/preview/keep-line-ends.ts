/**
 * A text field has only `\n` between lines: one letter typed into a file with `\r\n` would change every line of it. This is the
 * text of the field with the line ends of the text that it showed: the same ones before and after the edit, and those of the
 * first line in it.
 */
export function keepLineEnds(shown: string, typed: string): string {
  if (!shown.includes("\r")) return typed;
  const ends = shown.match(/\r\n|\r|\n/g) ?? [];
  const before = shown.split(/\r\n|\r|\n/);
  const after = typed.split("\n");
  let start = 0;
  while (start < ends.length && start < after.length - 1 && before[start] === after[start]) start += 1;
  let last = 0;
  while (
    last < ends.length - start &&
    last < after.length - 1 - start &&
    before[before.length - 1 - last] === after[after.length - 1 - last]
  )
    last += 1;
  const endOf = (line: number) => {
    const fromEnd = after.length - 2 - line;
    return (line < start ? ends[line] : fromEnd < last ? ends[ends.length - 1 - fromEnd] : ends[0]) ?? "\n";
  };
  const kept = after.map((line, index) => (index === after.length - 1 ? line : `${line}${endOf(index)}`)).join("");
  // A lone `\r` before an empty line with `\n` would become one line end.
  return kept.replaceAll(/\r\n?/g, "\n") === typed ? kept : typed;
}
