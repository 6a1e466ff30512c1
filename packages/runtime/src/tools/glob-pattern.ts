/**
 * File patterns: `*` and `?` within a name, `**` for any directories, `[a-z]` and `[!a-z]` for one
 * character, `{a,b}` for alternatives, `\` before a character that is meant as itself.
 *
 * Patterns come from a model, so nothing is tried twice: all places where a pattern may stand are
 * followed at once, in time proportional to pattern × path.
 */
export function compileGlob(pattern: string): CompiledGlob {
  const alternatives = expandBraces(pattern);
  if (alternatives === undefined)
    return { kind: "invalid", message: `The pattern has more than ${MOST_ALTERNATIVES} alternatives.` };
  const compiled = alternatives.map((each) => each.split("/").map(parseSegment));
  return { kind: "glob", matches: (path) => compiled.some((segments) => followSegments(segments, path.split("/"))) };
}

export type CompiledGlob =
  | { readonly kind: "glob"; readonly matches: (path: string) => boolean }
  | { readonly kind: "invalid"; readonly message: string };

/** The directories a pattern begins with by name, and the rest of it. */
export function splitGlob(pattern: string): { readonly directory: string; readonly rest: string } {
  const wild = pattern.search(/[*?[{\\]/);
  const slash = pattern.lastIndexOf("/", wild < 0 ? pattern.length : wild);
  if (slash < 0) return { directory: "", rest: pattern };
  return { directory: pattern.slice(0, slash) || "/", rest: pattern.slice(slash + 1) };
}

const MOST_ALTERNATIVES = 256;

type Segment = "directories" | readonly Token[];
type Token = { readonly many: boolean; readonly fits: (character: string) => boolean };

/** Sets of places instead of recursion: `**` may stand for any number of names, or none. */
function followSegments(segments: readonly Segment[], names: readonly string[]): boolean {
  let places = withSkips(segments, new Set([0]));
  for (const name of names) {
    const next = new Set<number>();
    for (const place of places) {
      const segment = segments[place];
      if (segment === "directories") next.add(place);
      else if (segment !== undefined && followName(segment, name)) next.add(place + 1);
    }
    if (next.size === 0) return false;
    places = withSkips(segments, next);
  }
  return places.has(segments.length);
}

function withSkips(segments: readonly Segment[], places: Set<number>): Set<number> {
  for (const place of places) if (segments[place] === "directories") places.add(place + 1);
  return places;
}

function followName(tokens: readonly Token[], name: string): boolean {
  let places = pastStars(tokens, new Set([0]));
  for (const character of name) {
    const next = new Set<number>();
    for (const place of places) {
      const token = tokens[place];
      if (token?.fits(character)) next.add(token.many ? place : place + 1);
    }
    if (next.size === 0) return false;
    places = pastStars(tokens, next);
  }
  return places.has(tokens.length);
}

function pastStars(tokens: readonly Token[], places: Set<number>): Set<number> {
  for (const place of places) if (tokens[place]?.many) places.add(place + 1);
  return places;
}

function parseSegment(segment: string): Segment {
  if (segment === "**") return "directories";
  const characters = [...segment];
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at];
    const bracket = character === "[" ? parseBracket(characters, at) : undefined;
    if (character === "*") {
      if (tokens.at(-1)?.many !== true) tokens.push({ many: true, fits: () => true });
    } else if (character === "?") {
      tokens.push({ many: false, fits: () => true });
    } else if (bracket) {
      tokens.push({ many: false, fits: bracket.fits });
      at = bracket.end;
    } else {
      if (character === "\\" && at + 1 < characters.length) at += 1;
      const literal = characters[at];
      tokens.push({ many: false, fits: (each) => each === literal });
    }
  }
  return tokens;
}

/** A `[` without its `]` means itself. */
function parseBracket(characters: readonly string[], start: number) {
  const negated = characters[start + 1] === "!" || characters[start + 1] === "^";
  const first = start + (negated ? 2 : 1);
  const end = characters.indexOf("]", first + 1);
  if (end < 0) return undefined;
  const members = characters.slice(first, end);
  const isMember = (character: string): boolean =>
    members.some((from, index) => {
      const to = members[index + 2];
      if (members[index + 1] === "-" && to !== undefined) return from <= character && character <= to;
      return from === character;
    });
  return { end, fits: (character: string) => isMember(character) !== negated };
}

/** Every way to read the `{…}` of a pattern; undefined when there are too many. */
function expandBraces(pattern: string): string[] | undefined {
  const braces = findBraces(pattern);
  if (braces === undefined) return [pattern];
  const before = pattern.slice(0, braces.start);
  const after = pattern.slice(braces.end + 1);
  const all: string[] = [];
  for (const option of braces.options) {
    const expanded = expandBraces(before + option + after);
    if (expanded === undefined || all.length + expanded.length > MOST_ALTERNATIVES) return undefined;
    all.push(...expanded);
  }
  return all;
}

/** The first `{` that has its `}` and a comma in between. */
function findBraces(pattern: string) {
  for (let start = pattern.indexOf("{"); start >= 0; start = pattern.indexOf("{", start + 1)) {
    if (pattern[start - 1] === "\\") continue;
    const options: string[] = [];
    let depth = 0;
    let from = start + 1;
    for (let at = start; at < pattern.length; at += 1) {
      const character = pattern[at];
      if (character === "\\") at += 1;
      else if (character === "{") depth += 1;
      else if (character === "}") depth -= 1;
      if ((character === "," && depth === 1) || (character === "}" && depth === 0)) {
        options.push(pattern.slice(from, at));
        from = at + 1;
      }
      if (depth === 0) {
        if (options.length > 1) return { start, end: at, options };
        break;
      }
    }
  }
  return undefined;
}
