/**
 * The conversation, with everything around it, from the top: header, transcript (with an outline of the turns where it is wide enough), dock
 * (undone, queue, question), the text field, status, keys. What has no room goes first where the terminal is small.
 */
import type { SessionView } from "@retake/client";
import { elapsed, money, plural, shortCount, syncWords } from "@retake/client/screen";
import { activeTake, BUDGET, entriesBack, lastRedoable, liveTakes, runningTurn } from "@retake/core";
import { fit, type Line, line, lineWidth, span, toned } from "../draw/line.ts";
import type { Model } from "../model/model.ts";
import { talkHints } from "./hints.ts";
import { edges, headerLine, rootName, statusLine } from "./opening-view.ts";
import { outlineLines, outlineWidth } from "./outline.ts";
import { toastLines } from "./place-frame.ts";
import { promptField } from "./prompt-field.ts";
import { openQuestion, type Question, questionLines } from "./question-lines.ts";
import { takeTabs } from "./take-tabs.ts";
import { todoLine } from "./todo-lines.ts";
import { shownRows, transcript } from "./transcript.ts";
import type { HitArea, View } from "./view.ts";
import { welcomeLines } from "./welcome.ts";

/** So many rows hold no question and a part of the conversation. */
const SMALL = 12;

export interface TalkLayout {
  readonly header: readonly Line[];
  readonly dock: readonly Line[];
  readonly field: readonly Line[];
  readonly footer: readonly Line[];
  /** Of the transcript. */
  readonly width: number;
  readonly height: number;
  readonly rail: number;
  readonly cursor: View["cursor"];
  /** The scroll with which the end of the question is seen. */
  readonly lastQuestionScroll: number;
}

export function talkLayout(model: Model): TalkLayout {
  const { columns, rows } = model.size;
  const { header, footer } = edges(
    rows,
    titleLine(model, columns),
    factsLine(model, columns),
    talkHints(model, columns),
  );
  const most = Math.max(1, Math.floor((rows - header.length - footer.length) / 3));
  const field = promptField(model, most);
  const room = rows - header.length - footer.length - field.lines.length;
  // Nobody answers a question that is not on the screen: on a small one it takes the place of the conversation.
  const spare = openQuestion(model) && room < SMALL ? 0 : 3;
  const { lines: dock, lastQuestionScroll } = dockLayout(model, columns, Math.max(1, room - spare));
  const height = Math.max(0, room - dock.length);
  const rail = outlineWidth(model);
  const isTyping = model.state === "typing" && model.answerable === undefined && model.prompts.search === undefined;
  return {
    header,
    dock,
    field: field.lines,
    footer,
    height,
    rail,
    width: columns - rail,
    lastQuestionScroll,
    cursor: isTyping ? { row: header.length + height + dock.length + field.row, column: field.column } : undefined,
  };
}

export function talkView(model: Model): View {
  const layout = talkLayout(model);
  const { columns } = model.size;
  const shown = transcript(model, layout.width, layout.height);
  const isEmpty = shown.lines.length === 0;
  const body: Line[] = isEmpty
    ? welcomeLines(model, layout.width, layout.height)
    : shown.lines.map((each) => mark(each.line, each.row === model.focus && model.state === "moving", layout.width));
  while (body.length < layout.height) body.push([]);
  const rail = layout.rail > 0 ? outlineLines(model, shown.lines.at(-1)?.row, layout.rail, layout.height) : [];
  const lines = [
    ...layout.header,
    ...body.slice(0, layout.height).map((each, at) => (layout.rail > 0 ? [...(rail[at] ?? []), ...each] : each)),
    ...layout.dock,
    ...layout.field,
    ...layout.footer,
  ];
  const hits: HitArea[] = shown.lines.map(({ row }, at) => ({
    row: layout.header.length + at,
    from: layout.rail,
    to: columns,
    action: { kind: "focus", key: row },
  }));
  return { lines, cursor: layout.cursor, hits };
}

/** The focused row has a bar where its indent is. */
function mark(spans: Line, isFocused: boolean, width: number): Line {
  if (!isFocused) return spans;
  const [first, ...rest] = spans;
  if (!first) return [span("▌", "accent")];
  if (first.text.startsWith(" ")) return [span("▌", "accent"), { ...first, text: first.text.slice(1) }, ...rest];
  return fit(toned(spans, "selected"), width);
}

function titleLine(model: Model, width: number): Line {
  const { view, connected, title, isPrivate } = model;
  const takes = view ? liveTakes(view.state) : [];
  const active = view ? activeTake(view.state) : "";
  const name = title === "" ? "Retake" : title;
  const right = !model.isOpen
    ? span("opening …", "quiet")
    : connected
      ? span("● live", "good")
      : span("○ reconnecting", "warning");
  const own = [span(` ${name}`, "strong"), ...(isPrivate ? [span(" (private)", "quiet")] : [])];
  const room = width - lineWidth([right]) - 3;
  // The name gives way to the takes, but keeps a third of the line.
  const tabs = takeTabs(takes, active, room - Math.min(lineWidth(own), Math.floor(width / 3)));
  return headerLine([...fit(own, room - lineWidth(tabs)), ...tabs], right, width);
}

function factsLine(model: Model, width: number): Line {
  const { root, branch, isDirty, model: name, cost, mode, confinement } = model.status;
  const parts = [
    rootName(root),
    branch === undefined ? "" : `${branch}${isDirty ? "*" : ""}`,
    name,
    contextUsed(model),
    cost === undefined ? "" : money(cost),
    mode === "" ? "" : `approvals: ${mode}`,
    confinement,
    syncWords(model.status.sync),
    model.mouse ? "" : "mouse off",
  ];
  return statusLine(parts, width);
}

const used = new WeakMap<object, string>();

/** The tokens of the last request: what the conversation takes of the model's context. Looked for once in each state. */
function contextUsed({ view }: Model): string {
  if (!view) return "";
  const found = used.get(view.state) ?? tokensOf(view);
  used.set(view.state, found);
  return found;
}

function tokensOf(view: SessionView): string {
  for (const { usage } of entriesBack(view.state, view.take)) {
    if (!usage) continue;
    const { input_tokens = 0, output_tokens = 0, cache_read_input_tokens = 0, cache_creation_input_tokens = 0 } = usage;
    return `${shortCount(input_tokens + output_tokens + cache_read_input_tokens + cache_creation_input_tokens)} tokens`;
  }
  return "";
}

function dockLayout(
  model: Model,
  width: number,
  most: number,
): Pick<TalkLayout, "lastQuestionScroll"> & { lines: Line[] } {
  const { view, queue, retry, toast, progress, anchor, now } = model;
  const lines: Line[] = [];
  if (anchor && shownRows(model).length > 0)
    lines.push(line(span(" ↓ more below · G or End follows the end", "quiet")));
  // An undo of just now is said already, with the way back.
  const redoable = view && !toast && lastRedoable(view.state, view.take);
  if (redoable) lines.push(line(span(" ↶ Something is undone", "warning"), span(" · Ctrl+Y brings it back", "quiet")));
  if (retry)
    lines.push(
      line(
        span(
          ` Attempt ${retry.attempt} of ${retry.attempts} in ${elapsed(Math.max(0, retry.at - now))}, Esc Esc stops. ${retry.message}`,
          "warning",
        ),
      ),
    );
  if (progress)
    lines.push(
      line(
        span(
          ` ${progress.what} ${progress.files}${progress.of === undefined ? "" : ` of ${plural(progress.of, "file")}`} …`,
          "quiet",
        ),
      ),
    );
  const todo = view && runningTurn(view.state, view.take) !== undefined ? todoLine(shownRows(model)) : undefined;
  if (todo) lines.push(todo);
  for (const { prompt, isPaused } of queue)
    lines.push(
      line(
        isPaused ? span(" paused: ", "warning") : span(" waits: ", "quiet"),
        span(prompt.replace(/\s+/g, " "), "quiet"),
        span(isPaused ? "  Ctrl+X C runs it, Ctrl+X Q edits" : "  Ctrl+X Q edits", "quiet"),
      ),
    );
  for (const { prompt } of model.held ?? []) lines.push(line(span(` waits: ${prompt.replace(/\s+/g, " ")}`, "quiet")));
  lines.push(...toastLines(model, width));
  const question = openQuestion(model);
  const room = Math.max(3, most - lines.length);
  const { asked, lastQuestionScroll } = question
    ? boxed(model, questionLines(question, width), room, question)
    : { asked: [], lastQuestionScroll: 0 };
  const shown = [...lines.slice(-Math.max(0, most - asked.length)), ...asked].map((each) => fit(each, width));
  return { lines: shown, lastQuestionScroll };
}

/** A question: a long body is scrolled; its head, warnings and keys always stay. */
function boxed(
  model: Model,
  { head, body, notices }: ReturnType<typeof questionLines>,
  room: number,
  { name, always, call_id }: Question,
): Pick<TalkLayout, "lastQuestionScroll"> & { asked: Line[] } {
  const space = Math.max(1, room - 2 - notices.length);
  const lastQuestionScroll = Math.max(0, body.length - space);
  const start = Math.min(model.questionScroll, lastQuestionScroll);
  const [yes, no] = name === BUDGET ? ["go on", "stop"] : ["allow", "deny"];
  const keys =
    model.elsewhere === call_id
      ? line(span("  It is asked in another terminal: answer it there", "quiet"))
      : model.answerable === undefined
        ? line(span("  Tab", "strong"), span(" goes to this question", "quiet"))
        : line(
            span("  y", "strong"),
            ` ${yes}  `,
            ...(always ? [span("a", "strong"), span(" always  ")] : []),
            span("n", "strong"),
            ` ${no}`,
            ...(lastQuestionScroll > 0 ? [span("   ↑↓ scroll", "quiet")] : []),
          );
  const asked = [...[head, ...body.slice(start, start + space), ...notices].slice(0, room - 1), keys];
  return { asked, lastQuestionScroll };
}
