/**
 * The conversation as lines, in a window of our own: only rows that are seen are made into lines, from the end back while the
 * end is followed, or from the anchor on. So a frame costs what the screen shows, however long the thread is.
 */
import { type Row, rowsOf } from "@retake/client/screen";
import { AI, type Entry, entryById, promptEntryId, runningTurn } from "@retake/core";
import type { Line } from "../draw/line.ts";
import type { Anchor, Model } from "../model/model.ts";
import { rowLines } from "./row-lines.ts";

export interface ShownLine {
  readonly line: Line;
  readonly row: string;
}

export interface Transcript {
  readonly lines: readonly ShownLine[];
  readonly first: Anchor | undefined;
  readonly isAtEnd: boolean;
  readonly isAtStart: boolean;
}

const stored = new WeakMap<object, readonly Row[]>();

/** The rows of the view; an answer that is said and not stored yet is one of them. The prompt is part of its turn's row. */
export function shownRows({ view }: Pick<Model, "view">): readonly Row[] {
  if (!view) return [];
  // By the state alone: streaming output changes no row, so a frame does not go through all of them.
  const rows =
    stored.get(view.state) ?? rowsOf(view, () => false).filter((row) => row.kind !== "entry" || !isPrompt(row.entry));
  stored.set(view.state, rows);
  const { state, take } = view;
  const live = [...view.live].filter(([id, { text, thinking }]) => (text || thinking) && !entryById(state, take, id));
  if (live.length === 0) return rows;
  return [
    ...rows,
    ...live.map(([id, { turn }]): Row => ({ kind: "entry", key: id, name: "", turn, entry: liveEntry(id, turn) })),
  ];
}

const liveEntries = new Map<string, Entry>();

function liveEntry(id: string, turn: string): Entry {
  const found = liveEntries.get(id) ?? {
    id,
    order: "",
    role: AI,
    content: "",
    ts: "",
    collapsed: false,
    read_mode: true,
    turn_id: turn,
  };
  liveEntries.clear();
  liveEntries.set(id, found);
  return found;
}

function isPrompt({ id, turn_id }: Entry): boolean {
  return turn_id !== undefined && id === promptEntryId(turn_id);
}

function linesOf(model: Model, row: Row, width: number): readonly Line[] {
  const { view, changes, now, toggled } = model;
  const entry =
    row.kind === "entry" ? row.entry.id : row.kind === "call" ? (row.result?.id ?? "") : promptEntryId(row.turn.id);
  const found = row.kind === "turn" ? changes.get(row.turn.id) : undefined;
  return rowLines(row, {
    ...{ width, now, live: view?.live.get(entry), isToggled: toggled.has(row.key) },
    changes: found === "asked" ? undefined : found,
    prompt: row.kind === "turn" && view ? entryById(view.state, view.take, entry) : undefined,
    isStruck: false,
    isTurnRunning: view !== undefined && row.kind !== "turn" && runningTurn(view.state, view.take) === row.turn,
  });
}

export function transcript(model: Model, width: number, height: number): Transcript {
  const rows = shownRows(model);
  const anchor = model.anchor && rows.some(({ key }) => key === model.anchor?.row) ? model.anchor : undefined;
  if (anchor) {
    const shown = forward(model, rows, anchor, width, height);
    if (shown.lines.length === height) return shown;
  }
  return backward(model, rows, rows.length - 1, width, height);
}

/** The lines that end with the last line of a row. */
function backward(model: Model, rows: readonly Row[], from: number, width: number, height: number): Transcript {
  const lines: ShownLine[] = [];
  let first: Anchor | undefined;
  let at = from;
  for (; at >= 0 && lines.length < height; at -= 1) {
    const row = rows[at] as Row;
    const made = linesOf(model, row, width);
    const skipped = Math.max(0, made.length - (height - lines.length));
    lines.unshift(...made.slice(skipped).map((line) => ({ line, row: row.key })));
    first = { row: row.key, line: skipped };
  }
  return { lines, first, isAtEnd: from === rows.length - 1, isAtStart: at < 0 && (first?.line ?? 0) === 0 };
}

function forward(model: Model, rows: readonly Row[], anchor: Anchor, width: number, height: number): Transcript {
  const lines: ShownLine[] = [];
  let at = rows.findIndex(({ key }) => key === anchor.row);
  const isAtStart = at === 0 && anchor.line === 0;
  let isAtEnd = false;
  for (let skip = anchor.line; at < rows.length && lines.length < height; at += 1, skip = 0) {
    const row = rows[at] as Row;
    const made = linesOf(model, row, width).slice(skip);
    isAtEnd = at === rows.length - 1 && made.length <= height - lines.length;
    lines.push(...made.slice(0, height - lines.length).map((line) => ({ line, row: row.key })));
  }
  return { lines, first: anchor, isAtEnd, isAtStart };
}

/** The anchor after scrolling by some lines; undefined where the end is reached, so that it is followed again. */
export function scrolled(model: Model, by: number, width: number, height: number): Anchor | undefined {
  const rows = shownRows(model);
  const { first, isAtEnd } = transcript(model, width, height);
  if (!first || (by > 0 && isAtEnd)) return undefined;
  let at = rows.findIndex(({ key }) => key === first.row);
  let line = first.line + by;
  while (line < 0 && at > 0) {
    at -= 1;
    line += linesOf(model, rows[at] as Row, width).length;
  }
  while (at < rows.length - 1 && line >= linesOf(model, rows[at] as Row, width).length) {
    line -= linesOf(model, rows[at] as Row, width).length;
    at += 1;
  }
  const anchor = { row: (rows[at] as Row).key, line: Math.max(0, line) };
  if (by < 0) return anchor;
  return transcript({ ...model, anchor }, width, height).isAtEnd ? undefined : anchor;
}

/** The anchor with which a row is seen; the present one where it is. */
export function anchorFor(model: Model, key: string, width: number, height: number): Anchor | undefined {
  const rows = shownRows(model);
  const { lines, first } = transcript(model, width, height);
  const at = rows.findIndex((row) => row.key === key);
  if (at < 0) return model.anchor;
  const need = Math.min(linesOf(model, rows[at] as Row, width).length, height);
  if (lines.filter(({ row }) => row === key).length >= need) return model.anchor;
  const top = rows.findIndex((row) => row.key === first?.row);
  if (at <= top) return { row: key, line: 0 };
  if (at === rows.length - 1) return undefined;
  return backward(model, rows, at, width, height).first;
}
