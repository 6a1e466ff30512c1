/**
 * A sub-agent: a tool that gives a task to the same model, with the same tools and a conversation of its own, and answers its
 * report. It is one call of the turn that started it. So everything it changes lies between the two captures of that call, and
 * an undo of the turn, or of the call alone, takes all of it back: there is no second thread whose files would have to be told
 * apart. Its conversation is kept with the result, and goes and comes with it. See decision 30.
 *
 * It asks nobody: a call that would need a question is denied, and it is told so.
 */
import { addUsage, type JsonObject, type Message, type ToolCall, type Usage } from "@retake/core";
import type { Model, ModelEnd } from "../model/model.ts";
import { outputLimits } from "../model/model-facts.ts";
import { BackgroundCommands } from "../tools/background-commands.ts";
import { stringIn } from "../tools/check-input.ts";
import { cutText } from "../tools/cut-text.ts";
import { defineTool } from "../tools/define-tool.ts";
import type { Tool, ToolEnd, ToolRun } from "../tools/tool.ts";
import { runSubCall, type SubCallParts } from "./sub-agent-call.ts";

export interface SubAgentParts extends SubCallParts {
  readonly model: Model;
}

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
  readonly #messages: Message[] = [];
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
    this.#messages.push({ role: "user", parts: [{ type: "text", text: task }] });
    for (let step = 1; step <= MOST_STEPS; step += 1) {
      const problem = this.#parts.budget.problem();
      if (problem !== undefined) return this.#end("failed", problem.message);
      const { text, end } = await this.#ask(step);
      if (this.#run.signal.aborted) return this.#end("interrupted", "Interrupted before it was done.");
      if (end?.kind !== "responded")
        return this.#end("failed", `The model failed: ${end?.message ?? "it fell silent"}`);
      this.#count(end.usage);
      if (text !== "") this.#say(text);
      if (end.calls.length === 0) return this.#end("completed", text === "" ? "(It reported nothing.)" : text);
      await this.#callAll(step, text, end.calls);
    }
    return this.#end("failed", `It did not end within ${MOST_STEPS} steps.`);
  }

  async #ask(step: number): Promise<{ readonly text: string; readonly end: ModelEnd | undefined }> {
    const { model, facts, tools } = this.#parts;
    const offered = tools.map(({ name, description, input }) => ({ name, description, input }));
    let text = "";
    const { signal } = this.#run;
    const request = { system: SYSTEM, messages: this.#messages, tools: offered, turn: 1, step, signal };
    const limits = { ...outputLimits({ ...facts, thinking_budget: 0 }, 0, 0), thinking: "off" } as const;
    for await (const part of model.stream({ ...request, ...limits, temperature: 0, top_p: 1 })) {
      if (part.kind === "responded" || part.kind === "failed") return { text, end: part };
      if (part.kind === "text") text += part.text;
    }
    return { text, end: undefined };
  }

  async #callAll(step: number, text: string, asked: readonly ToolCall[]): Promise<void> {
    // The ids of a model may be missing or the same twice.
    const calls = asked.map((call, index) => ({ ...call, id: `sub_${step}_${index + 1}` }));
    const entry_id = `sub-${step}`;
    this.#messages.push({
      role: "assistant",
      parts: [
        ...(text === "" ? [] : [{ type: "text", text } as const]),
        ...calls.map(({ id, name, input, signature }) => ({
          ...({ type: "tool-call", call_id: id, name, input, entry_id } as const),
          ...(typeof signature === "string" ? { signature } : {}),
        })),
      ],
    });
    const results = [];
    for (const { id, name, input } of calls) {
      this.#say(`● ${name} ${summaryOf(input)}`);
      const { outcome, content } = await runSubCall(this.#parts, this.#run, {
        id,
        name,
        input,
        mayWrite: this.#mayWrite,
      });
      if (outcome !== "completed") this.#say(content);
      const is_error = outcome !== "completed";
      results.push({ type: "tool-result", call_id: id, name, output: content, is_error, entry_id } as const);
    }
    this.#messages.push({ role: "user", parts: results });
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

const SYSTEM = `You are a helper of a coding agent. You get one task, work on it with your tools in the agent's workspace, and
answer with a report: what you found or did, with the names of files and the lines that matter. Paths are relative to the
workspace. Follow AGENTS.md where there is one. Nobody can answer questions: decide, and say what you decided.`;
