/** A question: the whole command or the difference, where it runs, what cannot be undone, and which keys answer. */
import { approvalsIn } from "@retake/client";
import { type AwaitedApproval, noticeText, ruleText } from "@retake/core";
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
  const { command, ...rest } = input;
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
    body: [...shown, ...more].flatMap((each) => wrapLine([...indent, ...each], width, indent)),
    notices: [
      ...notices.map((notice) => line(span(`  ! ${noticeText(notice)}`, "warning"))),
      ...(always ? [line(span(`  a always allows: ${ruleText(always)}`, "quiet"))] : []),
    ],
  };
}
