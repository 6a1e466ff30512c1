import { roleToken } from "../store/search-index.ts";
import { wordsIn } from "../store/words-in.ts";

/**
 * A search: every part must be found. A part is a word as typed, which may consist of several words for the index
 * (`store/words-in.ts`) that must then be adjacent, or the text in double quotes. The last word may be a prefix. No
 * character has another meaning, so no input is an error.
 */
export interface SearchQuery {
  readonly parts: readonly QueryPart[];
}

export interface QueryPart {
  readonly words: readonly string[];
  /** Whether the last word may be a prefix. */
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
 * The query for SQLite's full-text search; undefined when it asks nothing about entries. Words consist of letters and
 * digits, so quoting them is enough.
 */
export function matchExpression({ parts }: SearchQuery, role: string | undefined): string | undefined {
  const words = parts.map((part) => `"${part.words.join(" ")}"${part.prefix ? " *" : ""}`).join(" AND ");
  const columns = [
    ...(words === "" ? [] : [`words : (${words})`]),
    // Without words, a role alone is also a search in entries.
    ...(role === undefined ? [] : [`role : "${roleToken(role)}"`]),
  ];
  return columns.length === 0 ? undefined : columns.join(" AND ");
}

/** The positions of a query's part in a list of words, as the index of its first word. */
export function* placesOf(part: QueryPart, list: readonly string[]): Generator<number> {
  const { words, prefix } = part;
  const fits = (at: number, index: number) => {
    const [found = "", wanted = ""] = [list[at + index], words[index]];
    return found === wanted || (prefix && index === words.length - 1 && found.startsWith(wanted));
  };
  for (let at = 0; at + words.length <= list.length; at += 1) if (words.every((_, index) => fits(at, index))) yield at;
}

/** Whether a short text, like a title, contains all parts. */
export function isIn(query: SearchQuery, text: string): boolean {
  const list = wordsIn(text);
  return query.parts.every((part) => !placesOf(part, list).next().done);
}
