import { roleToken } from "../store/search-index.ts";
import { wordsIn } from "../store/words-in.ts";

/**
 * What a user looks for: every part has to be there. A part is a word as typed, which may be several words to search
 * (`open-retake.ts`) that then have to stand together, or whatever is in double quotes. The last word may be
 * the beginning of one. No character has another meaning, so nothing that is typed is an error.
 */
export interface SearchQuery {
  readonly parts: readonly QueryPart[];
}

export interface QueryPart {
  readonly words: readonly string[];
  /** Whether the last word may go on. */
  readonly prefix: boolean;
}

export function searchQuery(text: string): SearchQuery {
  const parts: { words: string[]; prefix: boolean }[] = [];
  for (const [typed, quoted] of text.matchAll(/"([^"]*)"|[^\s"]+/g)) {
    const words = wordsIn(quoted ?? typed);
    if (words.length > 0) parts.push({ words, prefix: false });
  }
  const last = parts.at(-1);
  if (last && !text.trimEnd().endsWith('"')) last.prefix = true;
  return { parts };
}

/**
 * The query as SQLite's full-text search takes it; undefined where nothing is asked of entries. Words are letters and
 * digits, so quotes are all it takes.
 */
export function matchExpression({ parts }: SearchQuery, role: string | undefined): string | undefined {
  const words = parts.map((part) => `"${part.words.join(" ")}"${part.prefix ? " *" : ""}`).join(" AND ");
  const columns = [
    ...(words === "" ? [] : [`words : (${words})`]),
    // Without words, a role alone is a question about entries too.
    ...(role === undefined ? [] : [`role : "${roleToken(role)}"`]),
  ];
  return columns.length === 0 ? undefined : columns.join(" AND ");
}

/** Where in a list of words a query's part stands, as the number of its first word. */
export function* placesOf(part: QueryPart, list: readonly string[]): Generator<number> {
  const { words, prefix } = part;
  const fits = (at: number, index: number) => {
    const [found = "", wanted = ""] = [list[at + index], words[index]];
    return found === wanted || (prefix && index === words.length - 1 && found.startsWith(wanted));
  };
  for (let at = 0; at + words.length <= list.length; at += 1) if (words.every((_, index) => fits(at, index))) yield at;
}

/** Whether a short text, like a title, holds all that is looked for. */
export function isIn(query: SearchQuery, text: string): boolean {
  const list = wordsIn(text);
  return query.parts.every((part) => !placesOf(part, list).next().done);
}
