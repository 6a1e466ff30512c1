/** The places that cover the conversation: a list with what the chosen item shows beside it, a plan, a text, a question for one line. */
import { filled, fit, type Line, line, span, spread, toned, wrapLine } from "../draw/line.ts";
import type { AskPlace, Detail, ListPlace, Model, Place, PlanPlace, TextPlace } from "../model/model.ts";
import { definitionOf } from "../model/places/definitions.ts";
import { composerLines } from "./composer-lines.ts";
import type { Hint } from "./hint-line.ts";
import { separator } from "./opening-view.ts";
import { placeFooter, titleLine } from "./place-frame.ts";
import { planLayout, planView } from "./plan-view.ts";
import { promptField } from "./prompt-field.ts";
import type { HitArea, View } from "./view.ts";

export function placeView(model: Model, place: Place): View {
  switch (place.kind) {
    case "list":
      return listView(model, place);
    case "plan":
      return planView(model, place);
    case "text":
      return textView(model, place);
    case "ask":
      return askView(model, place);
  }
}

/** The scroll with which the end of what is shown is seen. */
export function lastScroll(model: Model, place: ListPlace | PlanPlace | TextPlace): number {
  switch (place.kind) {
    case "list":
      return Math.max(0, (shownDetail(place)?.lines.length ?? 0) - 1);
    case "plan":
      return planLayout(model, place).lastScroll;
    case "text":
      return textLayout(model, place).lastScroll;
  }
}

const BESIDE = 90;

function listView(model: Model, place: ListPlace): View {
  const { columns, rows } = model.size;
  const definition = definitionOf(place.name);
  const footer = placeFooter(model, definition.hints, columns);
  const room = Math.max(1, rows - 1 - footer.length);
  const { items } = place;
  const isBeside = columns >= BESIDE && items?.length !== 0;
  const count = items === undefined ? "…" : items.length === 0 ? "" : `${place.selected + 1} of ${items.length}`;
  const width = isBeside ? Math.floor(columns * 0.42) : columns;
  const listRoom = isBeside ? room : Math.max(1, Math.min(items?.length ?? 1, Math.ceil(room / 2)));
  const start = Math.max(0, Math.min(place.selected - Math.floor(listRoom / 2), (items?.length ?? 0) - listRoom));
  const list: Line[] =
    items === undefined
      ? [line(span(" Loading …", "quiet"))]
      : items.length === 0
        ? [[], ...wrapLine([span(`  ${definition.empty}`, "quiet")], width, [span("  ")])]
        : items.slice(start, start + listRoom).map((item, at) => {
            const text = spread([span(" "), ...item.line], item.right ? [...item.right, span(" ")] : [], width);
            return start + at === place.selected ? filled(toned(text, "selected"), width, "selected") : text;
          });
  const detail = detailLines(
    place,
    isBeside ? columns - width - 3 : columns - 1,
    isBeside ? room : room - listRoom - 1,
  );
  const body: Line[] = isBeside
    ? Array.from({ length: room }, (_, at) => [
        ...filled(fit(list[at] ?? [], width), width),
        span(" │ ", "quiet"),
        ...(detail[at] ?? []),
      ])
    : [...list, ...(detail.length > 0 ? [separator(columns)] : []), ...detail.map((each) => [span(" "), ...each])];
  while (body.length < room) body.push([]);
  const hits: HitArea[] = (items ?? [])
    .slice(start, start + listRoom)
    .map((_, at) => ({ row: at + 1, from: 0, to: width, action: { kind: "select", index: start + at } }));
  return {
    lines: [titleLine(place.title, count, columns), ...body.slice(0, room), ...footer],
    cursor: undefined,
    hits,
  };
}

function detailLines(place: ListPlace, width: number, height: number): Line[] {
  const detail = shownDetail(place);
  if (!detail || height <= 0) return [];
  const focused = detail.hunks[place.hunk]?.at;
  const lines = detail.lines.slice(Math.min(place.scroll, Math.max(0, detail.lines.length - 1)));
  const first = detail.lines.length - lines.length;
  const shown: Line[] = [];
  for (const [at, each] of lines.entries()) {
    if (shown.length >= height) break;
    const isHunk = first + at === focused && place.name === "review";
    shown.push(...wrapLine(isHunk ? [span("▌", "accent"), ...toned(each, "strong")] : each, width));
  }
  return shown.slice(0, height);
}

function shownDetail({ items, selected, detail }: ListPlace): Omit<Detail, "key"> | undefined {
  const item = items?.[selected];
  return item?.detail ?? (detail?.key === item?.key ? detail : undefined);
}

function textLayout(model: Model, place: TextPlace) {
  const { columns, rows } = model.size;
  const hints: Hint[] = [
    ...(place.isTypedOn ? [["Enter", "send"] as const] : []),
    [place.isTypedOn ? "PgUp PgDn" : "↑↓ PgUp PgDn", "scroll"],
    ...(place.quoted === "" ? [] : [["Tab", "into the prompt"] as const]),
    ["Esc", place.isRunning && place.isShell ? "end it" : "back"],
  ];
  const footer = placeFooter(model, hints, columns);
  const field = place.isTypedOn ? promptField(model, Math.max(1, Math.floor(rows / 3))) : undefined;
  const room = Math.max(1, rows - 1 - (field?.lines.length ?? 0) - footer.length);
  const wrapped = place.lines.flatMap((each) => wrapLine([span(" "), ...each], columns, [span(hang(each))]));
  return { wrapped, field, footer, room, lastScroll: Math.max(0, wrapped.length - room) };
}

function textView(model: Model, place: TextPlace): View {
  const { columns } = model.size;
  const { wrapped, field, footer, room, lastScroll } = textLayout(model, place);
  // While it runs its end is shown.
  const start = place.isRunning ? lastScroll : Math.min(place.scroll, lastScroll);
  const body = wrapped.slice(start, start + room);
  while (body.length < room) body.push([]);
  return {
    lines: [
      titleLine(place.title, place.isRunning ? "running …" : "", columns),
      ...body,
      ...(field?.lines ?? []),
      ...footer,
    ],
    cursor: field && { row: 1 + room + field.row, column: field.column },
    hits: [],
  };
}

/** Where the text of a line goes on: below the words after a name, or a little further in. */
function hang([first, ...rest]: Line): string {
  return " ".repeat(rest.length > 0 && first?.tone === "accent" ? first.text.length + 1 : 3);
}

function askView(model: Model, place: AskPlace): View {
  const { columns, rows } = model.size;
  const field = composerLines(place.field, columns, place.hint);
  const footer = placeFooter(
    model,
    [
      ["Enter", "take it"],
      ["Esc", "leave"],
    ],
    columns,
  );
  const lines: Line[] = [
    titleLine(place.title, "", columns),
    line(span(` ${place.hint}`, "quiet")),
    [],
    ...field.lines,
  ];
  while (lines.length < rows - footer.length) lines.push([]);
  return {
    lines: [...lines.slice(0, rows - footer.length), ...footer],
    cursor: { row: 3 + field.row, column: Math.min(field.column, columns - 1) },
    hits: [],
  };
}
