/**
 * A question at the terminal: whether a tool call may run.
 *
 * Questions come one at a time (`Questions`), and one key answers one of them (`askKey`). The question shows all of what
 * would run: the whole command or the difference, where, and what no undo takes back.
 */
import { budgetWords } from "@retake/client/screen";
import { BUDGET, ruleText } from "@retake/core";
import type { ApprovalAnswer, ApprovalQuestion } from "@retake/runtime";
import { askKey } from "./ask-key.ts";
import type { Call } from "./command.ts";
import { noticeLine } from "./notice-line.ts";
import { type Line, type Output, plural, verbatim } from "./output.ts";
import { coloured } from "./patch-lines.ts";

export class Questions {
  readonly #call: Pick<Call, "output" | "world">;
  #line: Promise<unknown> = Promise.resolve();
  /** Typed text that answered no question. */
  typed = "";

  constructor(call: Pick<Call, "output" | "world">) {
    this.#call = call;
  }

  /** Asks when those before are answered. Rejects when `gone` says that there is no question any more. */
  ask(question: ApprovalQuestion, gone: AbortSignal): Promise<ApprovalAnswer> {
    const asked = this.#line.then(() => this.#ask(question, gone));
    this.#line = asked.catch(() => undefined);
    return asked;
  }

  async #ask(question: ApprovalQuestion, gone: AbortSignal): Promise<ApprovalAnswer> {
    gone.throwIfAborted();
    const { output, world } = this.#call;
    const at = world.terminal;
    if (output.json || !at)
      return { denied: "there is no terminal to ask at. To let it run: --approve all, or a rule (retake approvals)." };
    let shown = false;
    const asked = {
      show: () => {
        shown = true;
        for (const line of questionLines(output, question)) output.line(line);
      },
      showChoices: () =>
        output.write(
          `  ${question.name === BUDGET ? "Go on" : "Run it"}? [y]es, [n]o${question.always ? ", [a]lways" : ""}: `,
        ),
      keys: question.always ? { ...ANSWERS, a: "allow-always" as const } : ANSWERS,
      keep: (typed: string) => {
        this.typed += typed;
      },
    };
    try {
      const answer = await askKey(at, asked, gone);
      if (answer === "interrupt") {
        at.interrupt();
        gone.throwIfAborted();
      }
      if (answer === "interrupt" || answer === "closed") return { denied: "the terminal was closed at the question." };
      output.line(WORDS[answer]);
      return answer === "end" ? "deny" : answer;
    } catch (error) {
      if (gone.aborted && shown) output.line(typeof gone.reason === "string" ? gone.reason : "");
      throw error;
    }
  }
}

const ANSWERS = { y: "allow", n: "deny" } as const;
const WORDS = { allow: "yes", "allow-always": "always", deny: "no", end: "no" } as const;

function* questionLines(output: Output, question: ApprovalQuestion): Iterable<Line> {
  const { name, notices, always, number, of, directory } = question;
  if (name === BUDGET) {
    yield "";
    yield `${output.style("yellow", "?")} ${budgetWords(question.input)}`;
    return;
  }
  const count = of > 1 ? `${number} of ${of}: ` : "";
  yield "";
  yield `${output.style("yellow", "?")} ${output.style("bold", `${count}${name}`)} ${output.style("dim", `in ${directory}`)}`;
  const lines = contentLines(output, question);
  yield* verbatim(lines.map((line) => `    ${line}`));
  if (lines.length > MANY_LINES)
    yield output.style("dim", `  (${plural(lines.length, "line")}: scroll up to read all)`);
  for (const notice of notices) yield noticeLine(output, notice);
  if (notices.length === 0) yield output.style("dim", "  an undo takes it back");
  if (always) yield output.style("dim", `  always adds the rule: allow ${ruleText(always)}`);
}

/** More may not fit on the screen. */
const MANY_LINES = 15;

/** The whole command, or the difference, or the whole input. */
function contentLines(output: Output, { input, preview }: ApprovalQuestion): string[] {
  const { command, ...rest } = input;
  const json = (value: object) =>
    Object.keys(value).length === 0 ? [] : JSON.stringify(value, undefined, 2).split("\n");
  if (typeof command === "string") return [...command.split("\n"), ...json(rest)];
  return preview === undefined ? json(input) : preview.split("\n").map((line) => coloured(output, line));
}
