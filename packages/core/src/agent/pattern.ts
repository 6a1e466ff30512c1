/**
 * The patterns of approval rules. `*` matches any characters, `?` matches one, `\` makes the next character literal. In
 * a path neither matches a `/`; `**` does, and a `**` between slashes also matches no directory at all.
 *
 * A model writes the texts that patterns are matched with, so matching takes time proportional to pattern × text: all
 * possible positions in the pattern are followed at once, and no position is tried twice.
 */
export function matchesPath(pattern: string, path: string): boolean {
  return follow(parsePath(pattern), path);
}

/** `wild` tells which characters a wildcard may match. */
export function matchesText(pattern: string, text: string, wild: (character: string) => boolean = anything): boolean {
  return follow(parse(pattern, wild), text);
}

/** The pattern that matches exactly this text. */
export function literally(text: string): string {
  return text.replace(/[\\*?]/g, "\\$&");
}

type Token =
  | { readonly kind: "one" | "many"; readonly fits: (character: string) => boolean }
  /** Whole directories, or none. */
  | { readonly kind: "directories" };

const anything = () => true;
const notSlash = (character: string) => character !== "/";

function parse(pattern: string, wild: (character: string) => boolean): Token[] {
  const tokens: Token[] = [];
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at];
    if (character === "*") tokens.push({ kind: "many", fits: wild });
    else if (character === "?") tokens.push({ kind: "one", fits: wild });
    else {
      if (character === "\\" && at + 1 < characters.length) at += 1;
      const literal = characters[at];
      tokens.push({ kind: "one", fits: (each) => each === literal });
    }
  }
  return tokens;
}

function parsePath(pattern: string): Token[] {
  const tokens: Token[] = [];
  // As in gitignore, `**` is more than a `*` only between slashes.
  const segments = pattern.split("/");
  for (const [index, segment] of segments.entries()) {
    const last = index === segments.length - 1;
    if (segment === "**") {
      tokens.push(last ? { kind: "many", fits: anything } : { kind: "directories" });
      continue;
    }
    tokens.push(...parse(segment, notSlash));
    if (!last) tokens.push({ kind: "one", fits: (each) => each === "/" });
  }
  return tokens;
}

function follow(tokens: readonly Token[], text: string): boolean {
  let places = withSkips(tokens, new Set([0]), "/");
  for (const character of text) {
    const next = new Set<number>();
    for (const place of places) {
      const token = tokens[place];
      if (token === undefined) continue;
      if (token.kind === "directories") next.add(place);
      else if (token.fits(character)) next.add(token.kind === "one" ? place + 1 : place);
    }
    if (next.size === 0) return false;
    places = withSkips(tokens, next, character);
  }
  return places.has(tokens.length);
}

/** Adds the positions that are reached without a character: after a `*`, and after `**` at the start of a directory. */
function withSkips(tokens: readonly Token[], places: Set<number>, previous: string): Set<number> {
  // A set also yields items that are added during the loop, so chains of wildcards are followed to their end.
  for (const place of places) {
    const token = tokens[place];
    if (token?.kind === "many" || (token?.kind === "directories" && previous === "/")) places.add(place + 1);
  }
  return places;
}
