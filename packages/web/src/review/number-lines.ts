/** A line of a hunk, with its number in the old and in the new file. `\\` marks a note, as of a missing newline at the end. */
export interface Side {
  readonly sign: "+" | "-" | " " | "\\";
  readonly text: string;
  readonly old: number | undefined;
  readonly new: number | undefined;
}

export interface HunkLines {
  readonly old_start: number;
  readonly new_start: number;
  readonly lines: readonly string[];
}

export function numberLines({ old_start, new_start, lines }: HunkLines): Side[] {
  let [old, now] = [old_start, new_start];
  return lines.map((line) => {
    const [first] = line;
    const sign = first === "+" || first === "-" || first === "\\" ? first : " ";
    if (sign === "\\") return { sign, text: line.slice(1), old: undefined, new: undefined };
    const side: Side = {
      sign,
      text: line.slice(1),
      old: sign === "+" ? undefined : old,
      new: sign === "-" ? undefined : now,
    };
    if (sign !== "+") old += 1;
    if (sign !== "-") now += 1;
    return side;
  });
}

/** Lines that go beside those that come in their place. */
export function sideBySide(lines: readonly Side[]): (readonly [Side | undefined, Side | undefined])[] {
  const rows: (readonly [Side | undefined, Side | undefined])[] = [];
  let removed: Side[] = [];
  let added: Side[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) rows.push([removed[at], added[at]]);
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.sign === "-") removed.push(line);
    else if (line.sign === "+") added.push(line);
    else if (line.sign === " ") {
      flush();
      rows.push([line, line]);
    }
  }
  flush();
  return rows;
}
