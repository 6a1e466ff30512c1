/**
 * One row of the conversation as lines. A row that has ended is made once for each width and kept with its entry; only those
 * that go on are made for every frame.
 */
import type { Live } from "@retake/client";
import {
  backgroundCommand,
  type CallRow,
  callDiff,
  callSummary,
  countSigns,
  type EntryRow,
  elapsed,
  emptyAnswer,
  plural,
  type Row,
  STATUS_WORDS,
  type TurnRow,
} from "@retake/client/screen";
import { AI, type Entry, noticeText, SYSTEM, type ThinkingSegment } from "@retake/core";
import { fit, type Line, line, lineWidth, type Span, span, spread, type Tone, wrapLine } from "../draw/line.ts";
import { diffSpan } from "../markdown/code-line.ts";
import { markdownLines } from "../markdown/markdown-lines.ts";
import { todoCount, todoItems, todoLines } from "./todo-lines.ts";

/** Everything that the lines of a row depend on besides it. */
export interface RowContext {
  readonly width: number;
  readonly now: number;
  /** The user opened it, or folded what is open by itself. */
  readonly isToggled: boolean;
  readonly live: Live | undefined;
  readonly prompt: Entry | undefined;
  readonly changes: FileChanges | undefined;
  /** It would go with the plan that is shown. */
  readonly isStruck: boolean;
  /** Of an entry or a call: the answer may go on, and a command in the background may still run. */
  readonly isTurnRunning: boolean;
}

export interface FileChanges {
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
}

const INDENT = "  ";
const INDENTED = span(INDENT);
const INDENTED_TWICE = span("    ");
const MOST_PROMPT = 11;
const MOST_DIFF = 12;
const MOST_OUTPUT = 6;
const MOST_LIVE = 8;

export function rowLines(row: Row, context: RowContext): readonly Line[] {
  const made =
    row.kind === "turn"
      ? turnLines(row, context)
      : row.kind === "call"
        ? callLines(row, context)
        : entryLines(row, context);
  return context.isStruck ? made.map((each) => each.map(({ text }) => ({ text, tone: "struck" as const }))) : made;
}

function turnLines({ turn, name }: TurnRow, { width, now, changes, prompt, isToggled }: RowContext): Line[] {
  const started = Date.parse(turn.started_at);
  const isRunning = turn.status === "running";
  const took = (turn.ended_at === undefined ? now : Date.parse(turn.ended_at)) - started;
  const facts: Span[] = [];
  const add = (part: Span) => facts.push(...(facts.length > 0 ? [span(" · ", "quiet")] : []), part);
  if (isRunning) add(span(`running ${elapsed(took)}`, "accent"));
  else if (turn.status !== "finished") add(span(STATUS_WORDS[turn.status] ?? turn.status, "warning"));
  if (!isRunning && took >= 1000) add(span(elapsed(took), "quiet"));
  if (changes && changes.files > 0) {
    add(span(`+${changes.additions}`, "added"));
    facts.push(span(" "), span(`-${changes.deletions}`, "removed"));
    add(span(plural(changes.files, "file"), "quiet"));
  }
  const number = span(`${name} `, "accent");
  const lead: Line = [span(" ".repeat(number.text.length))];
  const all = (prompt?.content ?? turn.prompt).trimEnd().split("\n");
  const shown = folded(all, isToggled ? all.length : MOST_PROMPT, "start");
  const room = Math.max(10, width - number.text.length);
  // Where a line has no room for both, the facts are below the prompt: no word of it is cut off.
  const beside = room - lineWidth(facts) - 2;
  const isBeside = beside >= 20;
  const lines = shown.flatMap((text) => wrapLine([span(text, "strong")], isBeside ? beside : room));
  const [first = [], ...rest] = lines;
  const below = isBeside || facts.length === 0 ? [] : [fit([...lead, ...facts], width)];
  const head = isBeside ? spread([number, ...first], facts, width) : [number, ...first];
  return [[], head, ...rest.map((each) => [...lead, ...each]), ...below];
}

const kept = new WeakMap<object, Map<string, readonly Line[]>>();

/** The lines that belong to a value which never changes, made once. */
function once(owner: object, key: string, make: () => readonly Line[]): readonly Line[] {
  const known = kept.get(owner) ?? new Map<string, readonly Line[]>();
  kept.set(owner, known);
  const found = known.get(key) ?? make();
  if (known.size > 8) known.clear();
  known.set(key, found);
  return found;
}

function entryLines({ entry, name }: EntryRow, context: RowContext): readonly Line[] {
  const { live, width, isToggled, isTurnRunning } = context;
  const key = `entry ${width} ${isToggled} ${isTurnRunning}`;
  return live ? makeEntry(entry, name, context) : once(entry, key, () => makeEntry(entry, name, context));
}

function makeEntry(entry: Entry, name: string, { width, live, isToggled, isTurnRunning }: RowContext): Line[] {
  const empty = isTurnRunning || entry.thinking_segments?.length ? undefined : emptyAnswer(entry);
  if (empty !== undefined) return [[], [INDENTED, span(empty, "quiet")]];
  const said = live?.text;
  const text = said && said.at <= entry.content.length ? entry.content.slice(0, said.at) + said.text : entry.content;
  const thinking = thinkingText(entry.thinking_segments, live);
  const role = entry.role;
  const head: Line =
    role === AI
      ? []
      : [span(`${role}${entry.turn_id === undefined ? "" : ` ${name}`}`, role === SYSTEM ? "warning" : "accent")];
  const isFolded = entry.collapsed !== isToggled && entry.turn_id === undefined;
  const room = width - INDENT.length;
  const body = isFolded
    ? [[INDENTED, ...fit([span(text.replace(/\s+/g, " ").trim(), "quiet")], room)]]
    : role !== AI && !entry.read_mode
      ? text.split("\n").flatMap((each) => wrapLine([span(each)], room).map((part): Line => [INDENTED, ...part]))
      : markdownLines(text.trimEnd(), room, INDENT);
  return [
    [],
    ...(head.length > 0 ? [[INDENTED, ...head]] : []),
    ...thinkingLines(thinking, width, isToggled, live?.thinking !== undefined && text === ""),
    ...(text.trim() === "" ? [] : body),
  ];
}

function thinkingText(segments: readonly ThinkingSegment[] | undefined, live: Live | undefined): string {
  const stored = (segments ?? [])
    .map(({ text, redacted }) => (redacted ? "(hidden by the provider)" : text))
    .join("\n");
  return live?.thinking && live.thinking.text.length > stored.length ? live.thinking.text : stored;
}

function thinkingLines(text: string, width: number, isOpen: boolean, isGoing: boolean): Line[] {
  if (text.trim() === "") return [];
  const words = text.split(/\s+/).length;
  const head = line(
    span(`${INDENT}${isOpen ? "▾" : "▸"} thinking${isGoing ? " …" : ""} · ${plural(words, "word")}`, "quiet"),
  );
  const wrapped = () =>
    text
      .trim()
      .split("\n")
      .flatMap((each) => wrapLine([span(each, "quiet")], width - 4));
  const shown = isOpen ? wrapped() : isGoing ? wrapped().slice(-2) : [];
  return [head, ...shown.map((each): Line => [span("    "), ...each])];
}

function callLines(row: CallRow, context: RowContext): readonly Line[] {
  const { call, result } = row;
  const status = result?.tool_result?.status;
  const goesOn = context.live || backgroundCommand(result, context.isTurnRunning)?.isRunning;
  if (!result || status === "running" || status === "pending" || goesOn) return makeCall(row, context);
  return once(result, `call ${context.width} ${context.isToggled} ${call.name}`, () => makeCall(row, context));
}

/** A call to write a file says all of its lines. How many of them are new is known only where there was no file before. */
function counts({ name }: CallRow["call"], result: CallRow["result"], diff: readonly string[]): Span[] {
  const details = result?.["details"] as { readonly created?: unknown } | undefined;
  if (name === "write" && details?.created !== true)
    return [span(`${details?.created === false ? "replaced, " : ""}${plural(diff.length, "line")}`, "quiet")];
  const { additions, deletions } = countSigns(diff);
  return [span(`+${additions}`, "added"), span(" "), span(`-${deletions}`, "removed")];
}

const MARKS: Readonly<Record<string, readonly [string, Tone]>> = {
  pending: ["○", "quiet"],
  running: ["●", "accent"],
  completed: ["●", "good"],
  failed: ["✗", "error"],
  denied: ["⊘", "warning"],
  interrupted: ["✗", "warning"],
  unknown: ["?", "warning"],
};

function makeCall({ call, result }: CallRow, { width, now, live, isToggled, isTurnRunning }: RowContext): Line[] {
  const background = backgroundCommand(result, isTurnRunning);
  const status = background?.isRunning ? "running" : (result?.tool_result?.status ?? "pending");
  const [mark, tone] = MARKS[status] ?? ["●", "quiet"];
  const diff = callDiff(call.name, call.input);
  const facts: Span[] = [];
  if (diff.length > 0) facts.push(...counts(call, result, diff));
  if (background) facts.push(span(`${background.name} in the background ${background.end}`.trimEnd(), "quiet"));
  if (status === "running" && result)
    facts.push(span(`${facts.length > 0 ? " · " : ""}${elapsed(now - Date.parse(result.ts))}`, "accent"));
  else if (status !== "completed" && status !== "pending")
    facts.push(span(`${facts.length > 0 ? " · " : ""}${status}`, tone));
  const todo = todoItems(call);
  const subject = todo ? todoCount(todo) : callSummary(call).slice(call.name.length);
  const [first = "", ...more] =
    isToggled && typeof call.input["command"] === "string" ? call.input["command"].split("\n") : [subject.trim()];
  const head = spread(
    line(span(`${INDENT}${mark} `, tone), span(call.name, "strong"), span(` ${first}`)),
    facts,
    width,
  );
  const body = (lines: Line[]): Line[] => lines.map((each) => [INDENTED_TWICE, ...each]);
  const room = Math.max(8, width - 4);
  const shownDiff = folded(diff, isToggled ? diff.length : MOST_DIFF, "start").flatMap((each) =>
    wrapLine([diffSpan(each)], room),
  );
  return [
    head,
    ...body(more.map((each) => line(span(each, "code")))),
    ...(status === "denied" ? [] : body(shownDiff)),
    ...(isToggled ? body(recordLines(result, room)) : []),
    ...body(todo ? todoLines(todo, room) : outputLines(result, live, status, isToggled, room, diff.length > 0)),
    ...(result?.notices ?? []).slice(0, 3).map((notice) => line(span(`    ! ${noticeText(notice)}`, "warning"))),
  ];
}

/** The conversation of a sub-agent, before its report. */
function recordLines(result: Entry | undefined, room: number): Line[] {
  const { record } = (result?.["details"] ?? {}) as { readonly record?: unknown };
  if (typeof record !== "string" || record === "") return [];
  return [...record.split("\n").flatMap((each) => wrapLine([span(each, "quiet")], room)), []];
}

/** While it runs the last lines; after it the last ones too, because they say how it ended. */
function outputLines(
  result: Entry | undefined,
  live: Live | undefined,
  status: string,
  isOpen: boolean,
  room: number,
  hasDiff: boolean,
): Line[] {
  const said = live?.output;
  const content = (result?.background?.["output"] as string | undefined) || (result?.content ?? "");
  const text = status === "running" && said ? said.text : content;
  if (text.trim() === "" || (status === "completed" && text === "(no output)")) return [];
  // A write that went well says nothing that its diff does not.
  if (hasDiff && status === "completed" && !isOpen) return [];
  const most = isOpen
    ? Number.POSITIVE_INFINITY
    : status === "running"
      ? MOST_LIVE
      : status === "completed" && result?.tool_result?.name === "read"
        ? 0
        : MOST_OUTPUT;
  const lines = text.trimEnd().replace(/\r\n?/g, "\n").split("\n");
  if (most === 0) return [line(span(plural(lines.length, "line"), "quiet"))];
  const tone: Tone = status === "failed" ? "plain" : "quiet";
  return folded(lines, most, "end").flatMap((each) => wrapLine([span(each, tone)], room));
}

/** At most so many lines, from one side, and how many more there are; all where only one would be left out. */
export function folded(lines: readonly string[], most: number, side: "start" | "end"): readonly string[] {
  if (lines.length <= most + 1) return lines;
  const left = `… ${lines.length - most} more lines`;
  return side === "start" ? [...lines.slice(0, most), left] : [left, ...lines.slice(-most)];
}
