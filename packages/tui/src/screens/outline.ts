/** The turns of the window beside the conversation, one a line, around the one that is seen. Only where there is room. */
import { type Row, STATUS_WORDS, type TurnRow } from "@retake/client/screen";
import { filled, fit, type Line, span } from "../draw/line.ts";
import type { Model } from "../model/model.ts";
import { shownRows } from "./transcript.ts";

const WIDTH = 30;
const FROM_COLUMNS = 120;

/** 0 where the terminal is too narrow, and where there is nothing to choose from. */
export function outlineWidth(model: Model): number {
  return model.size.columns >= FROM_COLUMNS && turnsOf(model).length > 1 ? WIDTH : 0;
}

/** `seen`: the last row of the conversation that is on the screen. */
export function outlineLines(model: Model, seen: string | undefined, width: number, height: number): Line[] {
  const turns = turnsOf(model);
  const shown = model.state === "moving" ? (model.focus ?? seen) : seen;
  const key = `${shown} ${width} ${height}`;
  // While an answer streams in the turns stay the same.
  const known = last.get(turns);
  if (known?.key === key) return known.lines;
  const lines = makeLines(turns, turnOf(shownRows(model).findLast((row) => row.key === shown)), width, height);
  last.set(turns, { key, lines });
  return lines;
}

const last = new WeakMap<readonly TurnRow[], { readonly key: string; readonly lines: Line[] }>();

function makeLines(turns: readonly TurnRow[], turn: string | undefined, width: number, height: number): Line[] {
  const current = turns.findLastIndex((row) => row.turn.id === turn);
  const at = current < 0 ? turns.length - 1 : current;
  const start = Math.max(0, Math.min(at - Math.floor(height / 2), turns.length - height));
  return Array.from({ length: height }, (_, index) => {
    const row = turns[start + index];
    const text = row ? turnLine(row, start + index === at, width - 3) : [];
    return [...filled(text, width - 3), span(" │ ", "quiet")];
  });
}

function turnLine({ turn, name }: TurnRow, isCurrent: boolean, width: number): Line {
  const mark =
    turn.status === "running"
      ? span(" …", "accent")
      : turn.status === "finished"
        ? span("")
        : span(` ✗ ${STATUS_WORDS[turn.status]?.split(":")[0] ?? turn.status}`, "warning");
  const text = fit(
    [
      span(isCurrent ? "▌" : " ", "accent"),
      span(`${name} `, isCurrent ? "accent" : "quiet"),
      span(turn.prompt.replace(/\s+/g, " "), isCurrent ? "strong" : "quiet"),
    ],
    Math.max(8, width - mark.text.length),
  );
  return [...text, mark];
}

const turnRows = new WeakMap<readonly Row[], readonly TurnRow[]>();

function turnsOf(model: Model): readonly TurnRow[] {
  const rows = shownRows(model);
  const found = turnRows.get(rows) ?? rows.filter((row): row is TurnRow => row.kind === "turn");
  turnRows.set(rows, found);
  return found;
}

function turnOf(row: Row | undefined): string | undefined {
  return row?.kind === "turn" ? row.turn.id : row?.turn;
}
