/**
 * A sub-agent: a tool that gives a task to the same model, with the same tools and a conversation of its own, and answers its
 * report. It is one call of the turn that started it. So everything it changes lies between the two captures of that call, and
 * an undo of the turn, or of the call alone, takes all of it back: there is no second thread whose files would have to be told
 * apart. Its conversation is kept with the result, and goes and comes with it. See decision 30.
 *
 * It asks nobody: a call that would need a question is denied, and it is told so.
 */
import { addUsage, type JsonObject, type ToolCall, type Usage } from "@retake/core";
import { BackgroundCommands } from "../tools/background-commands.ts";
import { stringIn } from "../tools/check-input.ts";
import { cutText } from "../tools/cut-text.ts";
import { defineTool } from "../tools/define-tool.ts";
import type { Tool, ToolEnd, ToolRun } from "../tools/tool.ts";
import { runSubCall, type SubCallParts } from "./sub-agent-call.ts";
import { SubAgentTalk, type TalkParts } from "./sub-agent-talk.ts";

export type SubAgentParts = SubCallParts & Omit<TalkParts, "say">;

/** How often the model may be asked for one task. */
const MOST_STEPS = 50;
/** How much of its conversation is kept with the result. */
const LONGEST_RECORD = 50_000;

export function subAgent(parts: SubAgentParts): Tool {
  return defineTool({
    name: "agent",
    description:
      "Gives a task to a helper: the same model with the same tools and a conversation of its own. It knows nothing of this conversation, so say everything that it needs, and what it should report. It only reads unless may_write is true; helpers that only read work at the same time. It cannot ask the user anything.",
    input: {
      type: "object",
      properties: {
        task: { type: "string", minLength: 1, maxLength: 50_000 },
        may_write: { type: "boolean", description: "Whether it may change files and run commands." },
      },
      required: ["task"],
      additionalProperties: false,
    },
    endsWithRetake: true,
    examine: async (input) => ({ writes: input["may_write"] === true, paths: [], irreversible: [] }),
    run: (input, run) => new SubAgent(parts, run, input["may_write"] === true).work(stringIn(input, "task") ?? ""),
  });
}

class SubAgent {
  readonly #parts: SubAgentParts;
  readonly #run: ToolRun;
  readonly #mayWrite: boolean;
  readonly #background = new BackgroundCommands();
  readonly #record: string[] = [];
  #usage: Usage = {};

  constructor(parts: SubAgentParts, run: ToolRun, mayWrite: boolean) {
    this.#parts = parts;
    // Its own: a helper cannot reach the commands of the turn, and leaves none behind.
    this.#run = { ...run, background: this.#background };
    this.#mayWrite = mayWrite;
  }

  async work(task: string): Promise<ToolEnd> {
    try {
      return await this.#work(task);
    } finally {
      await this.#background.endAll();
      this.#background.forgetMarks();
    }
  }

  async #work(task: string): Promise<ToolEnd> {
    const { signal } = this.#run;
    const talk = new SubAgentTalk({ ...this.#parts, say: (text) => this.#say(text) }, task);
    for (let step = 1; step <= MOST_STEPS; step += 1) {
      const problem = this.#parts.budget.problem();
      if (problem !== undefined) return this.#end("failed", problem.message);
      const { text, calls, end } = await talk.ask(step, signal);
      if (signal.aborted) return this.#end("interrupted", "Interrupted before it was done.");
      if (end.kind === "failed") return this.#end("failed", `The model failed: ${end.message}`);
      this.#count(end.usage);
      if (text.trim() !== "") this.#say(text);
      if (calls.length === 0) return this.#report(text, end.stop);
      for (const call of calls) talk.hear(call, await this.#call(call));
    }
    return this.#end("failed", `It did not end within ${MOST_STEPS} steps.`);
  }

  #report(text: string, stop: "end" | "tool-calls" | "length" | "refused"): ToolEnd {
    if (stop === "refused") return this.#end("failed", `The model declined to go on. ${text}`.trim());
    if (stop === "length")
      return this.#end("failed", `${text}\n\n(The report is cut off here: it was too long.)`.trim());
    return this.#end("completed", text.trim() === "" ? "(It reported nothing.)" : text);
  }

  async #call(call: ToolCall): Promise<ToolEnd> {
    this.#say(`● ${call.name} ${summaryOf(call.input)}`);
    const end = await runSubCall(this.#parts, this.#run, call, this.#mayWrite);
    if (end.outcome !== "completed") this.#say(end.content);
    return end;
  }

  #count(usage: Usage): void {
    this.#usage = addUsage(this.#usage, usage);
    this.#parts.budget.add(usage);
  }

  #say(text: string): void {
    this.#record.push(text);
    this.#run.report({ text: `${text}\n` });
  }

  #end(outcome: ToolEnd["outcome"], content: string): ToolEnd {
    const record = cutText(this.#record.join("\n\n"), LONGEST_RECORD);
    return { outcome, content, usage: this.#usage, details: { record } };
  }
}

function summaryOf(input: JsonObject): string {
  const [first] = Object.values(input);
  return (typeof first === "string" ? first : JSON.stringify(input)).replace(/\s+/g, " ").slice(0, 200).toWellFormed();
}
