import { placedWords } from "../store/words-in.ts";
import { placesOf, type SearchQuery } from "./search-query.ts";

/** A part of a text on one line, with the positions of the matching words. */
export interface Snippet {
  readonly snippet: string;
  readonly highlights: readonly { readonly start: number; readonly end: number }[];
}

/** The first match of the query with the text around it. */
export function snippetOf(text: string, query: SearchQuery, length = 160): Snippet {
  const found = firstMatches(text, query);
  const from = startOf(text, (found[0]?.start ?? 0) - Math.floor(length / 4));
  const piece = text.slice(from, safeEnd(text, from + length));
  return oneLine(piece, from, found, { before: from > 0, after: from + piece.length < text.length });
}

interface Match {
  readonly start: number;
  readonly end: number;
}

/** Characters that are looked at together. A match that begins in one part and ends in the next lies whole in one of them. */
const PART = 16_384;
const OVERLAP = 1024;

/** The matches in the first part of the text that has any: of a text of megabytes only as much is read as is needed. */
function firstMatches(text: string, query: SearchQuery): readonly Match[] {
  for (let from = 0; from === 0 || from + OVERLAP < text.length; from += PART - OVERLAP) {
    const part = text.slice(from, from + PART);
    // A word at the edge may be half of one.
    const isWhole = ({ start, end }: Match) =>
      (start > 0 || from === 0) && (end < part.length || from + PART >= text.length);
    const matches = matchesIn(part, query, isWhole);
    if (matches.length > 0) return matches.map(({ start, end }) => ({ start: start + from, end: end + from }));
  }
  return [];
}

function matchesIn(text: string, query: SearchQuery, isWhole: (word: Match) => boolean): readonly Match[] {
  const words = [...placedWords(text)].filter(isWhole);
  const list = words.map(({ word }) => word);
  return query.parts
    .flatMap((part) => [...placesOf(part, list)].map((at) => ({ at, count: part.words.length })))
    .map(({ at, count }) => ({ start: words[at]?.start ?? 0, end: words[at + count - 1]?.end ?? 0 }))
    .sort((a, b) => a.start - b.start);
}

/** White space becomes one space, so positions change. */
function oneLine(
  piece: string,
  from: number,
  found: readonly Match[],
  cut: { readonly before: boolean; readonly after: boolean },
): Snippet {
  let snippet = cut.before ? "…" : "";
  const places: number[] = [];
  for (const character of piece) {
    const space = /\s/u.test(character);
    for (let unit = 0; unit < character.length; unit += 1) places.push(snippet.length + (space ? 0 : unit));
    if (!space) snippet += character;
    else if (!/(^…?| )$/.test(snippet)) snippet += " ";
  }
  places.push(snippet.length);
  const highlights = found
    .filter(({ start, end }) => start >= from && end <= from + piece.length)
    .map(({ start, end }) => ({ start: places[start - from] ?? 0, end: places[end - from] ?? 0 }));
  return { snippet: `${snippet.trimEnd()}${cut.after ? "…" : ""}`, highlights };
}

/** At the beginning of a word if one is near, and never inside a character. */
function startOf(text: string, wanted: number): number {
  if (wanted <= 0) return 0;
  const space = text.slice(wanted, wanted + 20).search(/\s/);
  return space >= 0 ? wanted + space + 1 : safeEnd(text, wanted);
}

function safeEnd(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}
