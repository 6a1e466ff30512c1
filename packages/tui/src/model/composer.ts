/** The text field of a prompt: pure, several lines, with a history of its own edits and the lines that were deleted last. */
import { clusters, textWidth } from "../text/index.ts";

export interface Composer {
  readonly text: string;
  /** Where typing goes on, in code units. */
  readonly cursor: number;
  /** Earlier states, the last one last; empty where the text came from outside. */
  readonly before: readonly Saved[];
  readonly after: readonly Saved[];
  /** The text that Ctrl+C, Ctrl+K, Ctrl+U or Ctrl+W deleted last; Ctrl+V brings it back. */
  readonly killed: string;
}

interface Saved {
  readonly text: string;
  readonly cursor: number;
}

export const EMPTY_COMPOSER: Composer = { text: "", cursor: 0, before: [], after: [], killed: "" };
const MOST_SAVED = 200;

/** A text that comes from outside: a draft, or what an undo gave back. Its own history begins anew. */
export function withText(composer: Composer, text: string): Composer {
  return { ...composer, text, cursor: text.length, before: [], after: [] };
}

export function insertText(composer: Composer, added: string): Composer {
  const { text, cursor } = composer;
  const isWordGoingOn = added.length === 1 && added !== " " && added !== "\n" && composer.before.length > 0;
  const next = { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
  // A word is one step of the history.
  return isWordGoingOn ? { ...composer, ...next, after: [] } : edited(composer, next);
}

/** Replaces the whole text, as an edit that the field's history can take back. */
export function replaceText(composer: Composer, text: string): Composer {
  return text === composer.text ? composer : replaceRange(composer, 0, composer.text.length, text);
}

/** Replaces the text between two places. */
export function replaceRange(composer: Composer, from: number, to: number, added: string): Composer {
  const { text } = composer;
  return edited(composer, { text: text.slice(0, from) + added + text.slice(to), cursor: from + added.length });
}

/** The composer after a key; undefined where the key means nothing to it. */
export function composerKey(composer: Composer, key: string): Composer | undefined {
  const act = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  return act?.(composer);
}

export function undoEdit(composer: Composer): Composer {
  const last = composer.before.at(-1);
  if (!last) return composer;
  const { text, cursor } = composer;
  return { ...composer, ...last, before: composer.before.slice(0, -1), after: [...composer.after, { text, cursor }] };
}

export function redoEdit(composer: Composer): Composer {
  const next = composer.after.at(-1);
  if (!next) return composer;
  const { text, cursor } = composer;
  return { ...composer, ...next, after: composer.after.slice(0, -1), before: [...composer.before, { text, cursor }] };
}

export function isOnFirstLine({ text, cursor }: Composer): boolean {
  return !text.slice(0, cursor).includes("\n");
}

export function isOnLastLine({ text, cursor }: Composer): boolean {
  return !text.slice(cursor).includes("\n");
}

function edited(composer: Composer, next: Saved, killed = composer.killed): Composer {
  const { text, cursor, before } = composer;
  return { ...next, before: [...before, { text, cursor }].slice(-MOST_SAVED), after: [], killed };
}

function moved(composer: Composer, cursor: number): Composer {
  return { ...composer, cursor };
}

function removed(composer: Composer, from: number, to: number, isKill = false): Composer {
  if (from === to) return composer;
  const { text, killed } = composer;
  return edited(
    composer,
    { text: text.slice(0, from) + text.slice(to), cursor: from },
    isKill ? text.slice(from, to) : killed,
  );
}

const KEYS: Readonly<Record<string, (composer: Composer) => Composer>> = {
  ArrowLeft: (it) => moved(it, left(it)),
  ArrowRight: (it) => moved(it, right(it)),
  "Ctrl+B": (it) => moved(it, left(it)),
  "Ctrl+F": (it) => moved(it, right(it)),
  "Ctrl+ArrowLeft": (it) => moved(it, wordLeft(it)),
  "Ctrl+ArrowRight": (it) => moved(it, wordRight(it)),
  "Alt+B": (it) => moved(it, wordLeft(it)),
  "Alt+F": (it) => moved(it, wordRight(it)),
  Home: (it) => moved(it, lineStart(it)),
  End: (it) => moved(it, lineEnd(it)),
  "Ctrl+A": (it) => moved(it, lineStart(it)),
  "Ctrl+E": (it) => moved(it, lineEnd(it)),
  ArrowUp: (it) => moved(it, vertical(it, -1)),
  ArrowDown: (it) => moved(it, vertical(it, 1)),
  Backspace: (it) => removed(it, left(it), it.cursor),
  Delete: (it) => removed(it, it.cursor, right(it)),
  "Ctrl+W": (it) => removed(it, wordLeft(it), it.cursor, true),
  "Alt+Backspace": (it) => removed(it, wordLeft(it), it.cursor, true),
  "Ctrl+U": (it) => removed(it, lineStart(it), it.cursor, true),
  "Ctrl+K": (it) => removed(it, it.cursor, lineEnd(it), true),
  "Ctrl+V": (it) => (it.killed === "" ? it : replaceRange(it, it.cursor, it.cursor, it.killed)),
  "Alt+Enter": (it) => insertText(it, "\n"),
  "Shift+Enter": (it) => insertText(it, "\n"),
  "Ctrl+J": (it) => insertText(it, "\n"),
};

function left({ text, cursor }: Composer): number {
  const last = [...clusters(text.slice(Math.max(0, cursor - 64), cursor))].at(-1);
  return cursor - (last?.length ?? 0);
}

function right({ text, cursor }: Composer): number {
  for (const cluster of clusters(text.slice(cursor, cursor + 64))) return cursor + cluster.length;
  return cursor;
}

function wordLeft({ text, cursor }: Composer): number {
  return text.slice(0, cursor).replace(/\S+\s*$|\s+$/u, "").length;
}

function wordRight({ text, cursor }: Composer): number {
  return cursor + (/^\s*\S+/u.exec(text.slice(cursor))?.[0].length ?? text.length - cursor);
}

function lineStart({ text, cursor }: Composer): number {
  return text.lastIndexOf("\n", cursor - 1) + 1;
}

function lineEnd({ text, cursor }: Composer): number {
  const end = text.indexOf("\n", cursor);
  return end < 0 ? text.length : end;
}

function vertical(composer: Composer, lines: 1 | -1): number {
  const { text, cursor } = composer;
  const start = lineStart(composer);
  if (lines < 0 ? start === 0 : lineEnd(composer) === text.length) return lines < 0 ? 0 : text.length;
  const target = lines < 0 ? lineStart({ ...composer, cursor: start - 1 }) : lineEnd(composer) + 1;
  const room = textWidth(text.slice(start, cursor));
  let [at, wide] = [target, 0];
  for (const cluster of clusters(text.slice(target, lineEnd({ ...composer, cursor: target })))) {
    wide += textWidth(cluster);
    if (wide > room) break;
    at += cluster.length;
  }
  return at;
}
