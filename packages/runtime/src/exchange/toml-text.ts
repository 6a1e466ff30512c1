/** A text in TOML, on several lines when it has several: people read and edit these files. */
export function tomlText(text: string): string {
  if (!text.includes("\n")) return `"${escaped(text).replaceAll('"', '\\"')}"`;
  // Three quotes would end it, and so would one right before the end.
  const body = escaped(text).replaceAll('"""', '""\\"').replace(/"$/, '\\"');
  return `"""\n${body}"""`;
}

function escaped(text: string): string {
  return [...text.replaceAll("\\", "\\\\")]
    .map((character) => (isPlain(character) ? character : code(character)))
    .join("");
}

/** TOML accepts no control characters except tabs and line ends. */
function isPlain(character: string): boolean {
  return (character >= " " && character !== "\u007f") || character === "\t" || character === "\n";
}

function code(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
