/**
 * One line of a gitignore file, with git's semantics.
 *
 * Git tests one path at a time against one list at a time; the directories of a path were tested before, when the walk
 * came through them. So a pattern here matches a path and never what is under it. It works on bytes: `?` is one byte,
 * and a newline in a name is a byte like any other.
 *
 * A pattern without a slash is matched with the last part of the path, where `*` matches anything. A pattern with a
 * slash is matched with the whole path, where `*` stops at a slash and `**` between slashes does not. Git compares the
 * part before the first wildcard literally and starts matching after it, so a `**` right there counts as if a slash
 * came before it: `foo**` + `/bar` matches `foo1/2/bar`. That is odd, but we do the same.
 */
export interface Pattern {
  readonly negative: boolean;
  readonly onlyDirectories: boolean;
  matches(path: string, name: string): boolean;
}

export function parseGitignore(content: string): Pattern[] {
  // The byte order mark, one character per byte.
  const text = content.startsWith("\u00ef\u00bb\u00bf") ? content.slice(3) : content;
  const patterns: Pattern[] = [];
  for (const line of text.split("\n")) {
    const pattern = parsePattern(trimTrailingSpaces(line.endsWith("\r") ? line.slice(0, -1) : line));
    if (pattern) patterns.push(pattern);
  }
  return patterns;
}

function parsePattern(line: string): Pattern | undefined {
  if (line === "" || line.startsWith("#")) return undefined;
  const negative = line.startsWith("!");
  let glob = negative ? line.slice(1) : line;
  const onlyDirectories = glob.endsWith("/");
  if (onlyDirectories) glob = glob.slice(0, -1);
  const matches = glob.includes("/") ? pathMatcher(glob) : nameMatcher(glob);
  return { negative, onlyDirectories, matches };
}

function nameMatcher(glob: string): Pattern["matches"] {
  const wildcard = firstWildcard(glob);
  if (wildcard === glob.length) return (_path, name) => name === glob;
  const suffix = glob.slice(1);
  if (wildcard === 0 && glob.startsWith("*") && firstWildcard(suffix) === suffix.length) {
    return (_path, name) => name.endsWith(suffix);
  }
  const expression = compile(glob, false);
  return (_path, name) => expression.test(name);
}

function pathMatcher(withSlash: string): Pattern["matches"] {
  const glob = withSlash.startsWith("/") ? withSlash.slice(1) : withSlash;
  const wildcard = firstWildcard(glob);
  if (wildcard === glob.length) return (path) => path === glob;
  const prefix = glob.slice(0, wildcard);
  const rest = compile(glob.slice(wildcard), true);
  return (path) => path.startsWith(prefix) && rest.test(path.slice(prefix.length));
}

function firstWildcard(glob: string): number {
  const at = glob.search(/[*?[\\]/);
  return at < 0 ? glob.length : at;
}

/** Only spaces, except one that is quoted by a backslash. */
function trimTrailingSpaces(line: string): string {
  let end = 0;
  for (let index = 0; index < line.length; index += 1) {
    if (line[index] === "\\") {
      if (index + 1 === line.length) return line;
      index += 1;
    } else if (line[index] === " ") {
      continue;
    }
    end = index + 1;
  }
  return line.slice(0, end);
}

const NEVER = /(?!)/;

/** A wildcard of any length, as a regular expression, and the text after it up to the next such wildcard. */
interface Stretch {
  readonly wildcard: string;
  text: string;
}

/**
 * `paths`: whether a slash is special, as in a pattern that contains one.
 *
 * A repository brings its patterns and its names along, so no pattern may be slow. A `*` takes the first place where the
 * text after it fits, and so does a `**` with everything up to the next `**`: a later place would only leave less to
 * those that follow. The groups `(?=(…))\1` make that place final. Only the last wildcard tries others.
 */
function compile(glob: string, paths: boolean): RegExp {
  const any = paths ? "[^/]" : ".";
  let stretch: Stretch = { wildcard: "", text: "" };
  /** Each begins with a `**`. */
  const runs = [[stretch]];
  let index = 0;
  while (index < glob.length) {
    const char = glob.charAt(index);
    if (char === "\\") {
      if (index + 1 === glob.length) return NEVER;
      stretch.text += literal(glob.charAt(index + 1));
      index += 2;
    } else if (char === "?") {
      stretch.text += any;
      index += 1;
    } else if (char === "[") {
      const bracket = parseBracket(glob, index, paths);
      if (!bracket) return NEVER;
      stretch.text += bracket.source;
      index = bracket.end;
    } else if (char === "*") {
      let end = index;
      while (glob[end] === "*") end += 1;
      const spans = paths && end - index > 1 && fillsSegment(glob, index, end);
      const directories = spans && glob[end] === "/";
      stretch = { wildcard: directories ? "(?:.*?/)??" : spans ? ".*?" : `${any}*?`, text: "" };
      if (spans) runs.push([stretch]);
      else runs.at(-1)?.push(stretch);
      index = directories ? end + 1 : end;
    } else {
      stretch.text += literal(char);
      index += 1;
    }
  }
  return new RegExp(`^${sourceOf(runs)}$`, "s");
}

function sourceOf(runs: readonly (readonly Stretch[])[]): string {
  let groups = 0;
  const firstFit = (source: () => string) => {
    groups += 1;
    const group = groups;
    return `(?=(${source()}))\\${group}`;
  };
  const last = runs.at(-1)?.at(-1);
  const stretches = (run: readonly Stretch[]) => {
    const sources = run.map((stretch) => {
      const source = stretch.wildcard + stretch.text;
      return stretch === run[0] || stretch === last ? source : firstFit(() => source);
    });
    return sources.join("");
  };
  return runs.map((run) => (run === runs.at(-1) ? stretches(run) : firstFit(() => stretches(run)))).join("");
}

function fillsSegment(glob: string, start: number, end: number): boolean {
  const opens = start === 0 || glob[start - 1] === "/";
  return opens && (end === glob.length || glob[end] === "/" || glob.startsWith("\\/", end));
}

function literal(char: string): string {
  return `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

/** Git's own classes: ASCII only, and no vertical tab or form feed among the spaces. */
const classes: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  alnum: [
    [48, 57],
    [65, 90],
    [97, 122],
  ],
  alpha: [
    [65, 90],
    [97, 122],
  ],
  blank: [
    [9, 9],
    [32, 32],
  ],
  cntrl: [
    [0, 31],
    [127, 127],
  ],
  digit: [[48, 57]],
  graph: [[33, 126]],
  lower: [[97, 122]],
  print: [[32, 126]],
  punct: [
    [33, 47],
    [58, 64],
    [91, 96],
    [123, 126],
  ],
  space: [
    [9, 10],
    [13, 13],
    [32, 32],
  ],
  upper: [[65, 90]],
  xdigit: [
    [48, 57],
    [65, 70],
    [97, 102],
  ],
};

/** From `[` to its `]`; undefined when git rejects the whole pattern. */
function parseBracket(glob: string, start: number, paths: boolean): { source: string; end: number } | undefined {
  const members = new Uint8Array(256);
  const add = (from: number, to: number) => members.fill(1, from, to + 1);
  let index = start + 1;
  const negated = glob[index] === "!" || glob[index] === "^";
  if (negated) index += 1;
  /** The character from which a `-` would start a range; 0 when it would not. */
  let previous = 0;
  do {
    if (index >= glob.length) return undefined;
    const char = glob.charAt(index);
    const next = glob[index + 1];
    if (char === "\\") {
      if (next === undefined) return undefined;
      previous = next.charCodeAt(0);
      add(previous, previous);
      index += 2;
    } else if (char === "-" && previous > 0 && next !== undefined && next !== "]") {
      index += next === "\\" ? 2 : 1;
      if (index >= glob.length) return undefined;
      const last = glob.charCodeAt(index);
      if (previous <= last) add(previous, last);
      previous = 0;
      index += 1;
    } else if (char === "[" && next === ":") {
      const close = glob.indexOf("]", index + 2);
      if (close < 0) return undefined;
      const ranges = classes[glob.slice(index + 2, close - 1)];
      if (close - 1 < index + 2 || glob[close - 1] !== ":") {
        previous = char.charCodeAt(0);
        add(previous, previous);
        index += 1;
      } else {
        if (!ranges) return undefined;
        for (const [from, to] of ranges) add(from, to);
        previous = 0;
        index = close + 1;
      }
    } else {
      previous = char.charCodeAt(0);
      add(previous, previous);
      index += 1;
    }
  } while (glob[index] !== "]");
  if (negated) for (let code = 0; code < 256; code += 1) members[code] = members[code] ? 0 : 1;
  if (paths) members[47] = 0;
  let body = "";
  for (let code = 0; code < 256; code += 1) if (members[code]) body += literal(String.fromCharCode(code));
  return { source: body === "" ? NEVER.source : `[${body}]`, end: index + 1 };
}
