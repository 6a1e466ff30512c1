/** The words of a line, as a shell would cut it: quotes keep spaces, a backslash the next character. */
export function words(line: string): string[] {
  const found: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] as string;
    if (character === "\\" && quote !== "'" && index + 1 < line.length) {
      index += 1;
      word = (word ?? "") + line[index];
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word = (word ?? "") + character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= "";
    } else if (character === " " || character === "\t") {
      if (word !== undefined) found.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  if (word !== undefined) found.push(word);
  return found;
}
