/** A question: the whole command or the difference, where it runs, what cannot be undone, and which keys answer. */
import { approvalsIn } from "@retake/client";
import { budgetWords } from "@retake/client/screen";
import { type AwaitedApproval, BUDGET, noticeText, ruleText } from "@retake/core";
import { type Line, line, span, wrapLine } from "../draw/line.ts";
import { diffSpan } from "../markdown/code-line.ts";
import type { Model, QuestionDetails } from "../model/model.ts";

export interface Question extends AwaitedApproval {
  readonly details: QuestionDetails;
  readonly number: number;
  readonly of: number;
}

/** The question that is shown: the oldest that is open. */
export function openQuestion({ view, questions }: Pick<Model, "view" | "questions">): Question | undefined {
  const open = view ? approvalsIn(view) : [];
  const [first] = open;
  if (!first) return undefined;
  const details = questions.get(first.call_id) ?? {};
  return { ...first, details, number: details.number ?? 1, of: details.of ?? open.length };
}

export interface QuestionLines {
  readonly head: Line;
  readonly body: readonly Line[];
  readonly notices: readonly Line[];
}

export function questionLines(
  { name, input, notices, details, number, of, always }: Question,
  width: number,
): QuestionLines {
  if (name === BUDGET) {
    const note = "Yes is kept as the setting budget of this thread. No ends the turn; what it did stays.";
    const words = [span(budgetWords(input), "strong"), span(note, "quiet")];
    return {
      head: line(span("? ", "warning"), span("The budget is used up", "strong")),
      body: words.flatMap((each) => wrapLine([span("  "), each], width, [span("  ")])),
      notices: [],
    };
  }
  const { command, background, ...rest } = input;
  const where = details.directory === undefined ? [] : [span(` in ${details.directory}`, "quiet")];
  const head = line(span("? ", "warning"), span(`${of > 1 ? `${number} of ${of}: ` : ""}${name}`, "strong"), ...where);
  const shown =
    typeof command === "string"
      ? command.split("\n").map((each) => line(span(each, "code")))
      : details.preview !== undefined
        ? details.preview
            .replace(/\n$/, "")
            .split("\n")
            .map((each) => [diffSpan(each)])
        : [];
  const runsOn = background === true ? [line(span("runs on in the background until the turn ends", "quiet"))] : [];
  const others = typeof command === "string" ? rest : details.preview === undefined ? input : {};
  const more =
    Object.keys(others).length === 0
      ? []
      : JSON.stringify(others, undefined, 2)
          .split("\n")
          .map((each) => line(each));
  const indent: Line = [span("    ")];
  return {
    head,
    body: [...shown, ...runsOn, ...more].flatMap((each) => wrapLine([...indent, ...each], width, indent)),
    notices: [
      ...notices.map((notice) => line(span(`  ! ${noticeText(notice)}`, "warning"))),
      ...(always ? [line(span(`  a always allows: ${ruleText(always)}`, "quiet"))] : []),
    ],
  };
}
