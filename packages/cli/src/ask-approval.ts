import { createInterface } from "node:readline/promises";
import type { ApprovalQuestion } from "@retake/runtime";
import { noticeLine } from "./notice-line.ts";
import { cut, type Output } from "./output.ts";

/**
 * Asks the user whether a tool may run. Where nobody can answer, it may not. When the signal says that there is no question
 * any more, why is shown where the answer would be, and this rejects.
 */
export async function askApproval(
  output: Output,
  question: ApprovalQuestion,
  gone: AbortSignal,
): Promise<"allow" | "allow-always" | "deny"> {
  const { name, input, notices, always } = question;
  if (output.json || !process.stdin.isTTY) {
    process.stderr.write(
      `${name} needs approval and there is no terminal to ask at: denied. Allow it with --yes or a rule in the setting approval_rules.\n`,
    );
    return "deny";
  }
  output.line();
  output.line(`${output.style("yellow", "?")} ${name} ${cut(JSON.stringify(input), 200)}`);
  for (const notice of notices) output.line(noticeLine(output, notice));
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // The terminal does not make a signal of the key while a line is read.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  // Ctrl+D: there will be no answer.
  const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  const withdrawn = () => output.line(typeof gone.reason === "string" ? gone.reason : "");
  gone.addEventListener("abort", withdrawn);
  try {
    const asked = `  Run it? [y]es, [n]o${always ? ", [a]lways" : ""}: `;
    const answer = (await Promise.race([terminal.question(asked, { signal: gone }), closed])).trim().toLowerCase();
    if (always && (answer === "a" || answer === "always")) return "allow-always";
    return answer === "y" || answer === "yes" ? "allow" : "deny";
  } finally {
    gone.removeEventListener("abort", withdrawn);
    terminal.close();
  }
}
