/**
 * A question at the terminal: whether a tool call may run.
 *
 * Questions come one at a time (`Questions`), and only a key that is pressed while one is on the screen answers it. So a
 * question is shown when nothing was typed for a moment; what was typed before, what is pasted, and what is no answer is kept
 * as the draft of the next prompt. The question shows all of what would run: the whole command or the difference, where,
 * and what no undo takes back.
 */
import { ruleText } from "@retake/core";
import type { ApprovalAnswer, ApprovalQuestion } from "@retake/runtime";
import type { Call } from "./command.ts";
import { noticeLine } from "./notice-line.ts";
import type { Output } from "./output.ts";
import { TypedKeys } from "./typed-keys.ts";

/** How long nothing must have been typed before a question is shown: who types a word goes on sooner. */
const QUIET_MS = 250;

export class Questions {
  readonly #call: Pick<Call, "output" | "world">;
  #line: Promise<unknown> = Promise.resolve();
  /** What was typed and answered nothing. */
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
    const keys = new TypedKeys(at);
    try {
      await keys.quiet(QUIET_MS, gone);
      for (const line of questionLines(output, question)) output.line(line);
      const choices = `  Run it? [y]es, [n]o${question.always ? ", [a]lways" : ""}: `;
      output.write(choices);
      for (let hinted = false; ; hinted = true) {
        const answer = answerOf(await keys.next(gone), question);
        if (answer === "interrupt") {
          at.interrupt();
          continue;
        }
        if (answer !== undefined) {
          output.line(WORDS[answer]);
          return answer;
        }
        if (!hinted)
          output.write(
            `\n  (kept for your next prompt; a single y${question.always ? ", n or a" : " or n"} answers)\n${choices}`,
          );
      }
    } catch (error) {
      if (gone.aborted) output.line(typeof gone.reason === "string" ? gone.reason : "");
      throw error;
    } finally {
      this.typed += keys.close();
    }
  }
}

const WORDS = { allow: "yes", "allow-always": "always", deny: "no" } as const;

/** What a key says; undefined where it says nothing to this question. */
function answerOf(key: string, { always }: ApprovalQuestion): keyof typeof WORDS | "interrupt" | undefined {
  if (key === "\u0003") return "interrupt";
  // Ctrl+D: there will be no answer.
  if (key === "\u0004") return "deny";
  const word = key.trim().toLowerCase();
  if (word === "y" || word === "yes") return "allow";
  if (word === "n" || word === "no") return "deny";
  return always && (word === "a" || word === "always") ? "allow-always" : undefined;
}

function* questionLines(output: Output, question: ApprovalQuestion): Iterable<string> {
  const { name, input, notices, always, number, of, directory, preview } = question;
  const count = of > 1 ? `${number} of ${of}: ` : "";
  yield "";
  yield `${output.style("yellow", "?")} ${output.style("bold", `${count}${name}`)} ${output.style("dim", `in ${directory}`)}`;
  const { command, ...rest } = input;
  const shown = typeof command === "string" ? [command] : preview === undefined ? [] : [preview];
  for (const text of shown) for (const line of text.split("\n")) yield `    ${coloured(output, line, preview)}`;
  const others = typeof command === "string" ? rest : preview === undefined ? input : {};
  if (Object.keys(others).length > 0) yield `    ${JSON.stringify(others, undefined, 2).replaceAll("\n", "\n    ")}`;
  for (const notice of notices) yield noticeLine(output, notice);
  if (always) yield output.style("dim", `  always adds the rule: allow ${ruleText(always)}`);
}

function coloured(output: Output, line: string, preview: string | undefined): string {
  if (preview === undefined) return line;
  if (line.startsWith("+")) return output.style("green", line);
  return line.startsWith("-") ? output.style("red", line) : line;
}
