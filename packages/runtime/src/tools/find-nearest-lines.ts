/**
 * The lines of a file most like a text that is not in it: where an edit was probably meant. Words
 * decide, long and rare ones most, over a window as high as the text; one pass over the file.
 * Undefined where nothing in it is like the text.
 */
export function findNearestLines(content: string, wanted: string): NearestLines | undefined {
  const lines = content.split(/\r?\n/);
  const wantedLines = wanted.replace(/^\n+|\n+$/g, "").split(/\r?\n/);
  const height = Math.min(wantedLines.length, MOST_LINES);
  const weights = weigh(lines, new Set(wantedLines.slice(0, height).flatMap(wordsIn)));
  const total = wantedLines.slice(0, height).reduce((sum, line) => sum + scoreOf(line, weights), 0);
  const scores = lines.map((line) => scoreOf(line, weights));

  let best = { start: 0, score: 0 };
  let score = 0;
  for (let end = 0; end < lines.length; end += 1) {
    score += (scores[end] ?? 0) - (scores[end - height] ?? 0);
    if (score > best.score + TOLERANCE) best = { start: Math.max(0, end - height + 1), score };
  }
  if (best.score < total * LEAST_SHARE || best.score === 0) return undefined;
  const start = firstScoring(scores, best.start, height);
  const found = lines.slice(start, start + height);
  return { start: start + 1, lines: found, onlySpaces: squeeze(found) === squeeze(wantedLines) };
}

export interface NearestLines {
  /** The number of the first line, from 1. */
  readonly start: number;
  readonly lines: readonly string[];
  /** They differ from the text in white space alone. */
  readonly onlySpaces: boolean;
}

const MOST_LINES = 12;
const LEAST_SHARE = 0.4;
const TOLERANCE = 1e-9;

function wordsIn(line: string): string[] {
  return line.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
}

function weigh(lines: readonly string[], words: ReadonlySet<string>): Map<string, number> {
  const frequencies = new Map([...words].map((word) => [word, 0]));
  for (const line of lines) {
    for (const word of new Set(wordsIn(line))) {
      const seen = frequencies.get(word);
      if (seen !== undefined) frequencies.set(word, seen + 1);
    }
  }
  return new Map([...frequencies].map(([word, seen]) => [word, Math.min(word.length, 8) / (1 + seen)]));
}

function scoreOf(line: string, weights: ReadonlyMap<string, number>): number {
  let score = 0;
  for (const word of new Set(wordsIn(line))) score += weights.get(word) ?? 0;
  return score;
}

/** The window may begin above what made it the best. */
function firstScoring(scores: readonly number[], start: number, height: number): number {
  for (let at = start; at < start + height; at += 1) if ((scores[at] ?? 0) > 0) return at;
  return start;
}

function squeeze(lines: readonly string[]): string {
  return lines.join(" ").replace(/\s+/g, " ").trim();
}
