import { canonical, type Message, type ToolCallPart, type ToolResultPart } from "@retake/core";
import { fenced } from "./fence.ts";
import { instructionCall } from "./instruction-call.ts";
import { type Instruction, type Instructions, readInstructions } from "./instructions.ts";
import type { ModelRequest } from "./model.ts";
import type { ScriptStep } from "./script.ts";

/**
 * The answer of the scripted model without a script. In the first step of a turn it calls the tools for the
 * instructions in the prompt; in the second it reports the results. It never calls tools in a later step, so no edit of
 * a conversation can put it into a loop.
 */
export function answerPrompt({ messages, tools, step }: ModelRequest): ScriptStep {
  if (step > 1) return { text: report(messages) };
  const { instructions } = readInstructions(newestPrompt(messages));
  if (instructions.length === 0) return { text: HELP };
  const calls = instructions.map(instructionCall);
  const missing = calls.map(({ name }) => name).find((name) => !tools.some((tool) => tool.name === name));
  if (missing !== undefined) return { text: `I have no tool \`${missing}\` here, so I did nothing.` };
  return { tool_calls: calls };
}

const HELP = `I am the model that comes with Retake. I need no key and no network, and I understand only this, one instruction a line:

- \`write <path>: <content>\` makes a file, or replaces what is in it
- \`append <path>: <content>\` adds to the end of a file
- \`delete <path>\` removes a file or a directory
- \`run <shell command>\` runs a command

Content is written exactly as it stands, with no new line at its end; \`\\n\` stands for a new line. For example:

    write hello.txt: Hello!\\n

Try it, then undo it: the file goes, and this conversation with it.`;

/** The last text of an entry in the messages; texts that the projection adds have no entry. */
function newestPrompt(messages: readonly Message[]): string {
  for (const { role, parts } of messages.toReversed()) {
    if (role !== "user") continue;
    const prompt = parts.findLast((part) => part.type === "text" && part.entry_id !== undefined && !part.attached);
    if (prompt?.type === "text") return prompt.text;
  }
  return "";
}

function report(messages: readonly Message[]): string {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const asked = readInstructions(newestPrompt(messages.slice(0, Math.max(at, 0))));
  const results = messages.slice(at + 1).flatMap(({ parts }) => parts.filter((part) => part.type === "tool-result"));
  const calls = (messages[at]?.parts ?? []).filter((part) => part.type === "tool-call");
  const lines = calls.map((call) => {
    const result = results.find(({ call_id }) => call_id === call.call_id);
    return outcome(doing(call, asked.instructions), result);
  });
  if (lines.length === 0) lines.push("I see no calls of mine in this turn, so there is nothing to tell.");
  return [...lines, ...notUnderstood(asked)].join("\n\n");
}

/** Describes a call by its instruction, or by itself when the conversation was edited since. */
function doing(call: ToolCallPart, instructions: readonly Instruction[]): Doing {
  const same = instructions.find((instruction) => {
    const { name, input } = instructionCall(instruction);
    return name === call.name && canonical(input) === canonical(call.input);
  });
  switch (same?.verb) {
    case "write":
      return { did: `Wrote \`${same.path}\``, fail: `write \`${same.path}\`` };
    case "append":
      return { did: `Appended to \`${same.path}\``, fail: `append to \`${same.path}\`` };
    case "delete":
      return { did: `Deleted \`${same.path}\``, fail: `delete \`${same.path}\`` };
    case "run":
      return { did: `Ran \`${same.command}\``, fail: `run \`${same.command}\``, telling: true };
    case undefined:
      return { did: `Called \`${call.name}\``, fail: `call \`${call.name}\``, telling: true };
  }
}

interface Doing {
  readonly did: string;
  readonly fail: string;
  /** Its output is worth reporting also on success. */
  readonly telling?: true;
}

function outcome({ did, fail, telling }: Doing, result: ToolResultPart | undefined): string {
  if (!result) return `I do not know whether I could ${fail}: its result is gone.`;
  if (result.is_error) return `I could not ${fail}:\n\n${fenced(shortened(result.output))}`;
  return telling ? `${did}:\n\n${fenced(shortened(result.output))}` : `${did}.`;
}

function notUnderstood({ others }: Instructions): string[] {
  if (others.length === 0) return [];
  const quoted = others.map((line) => `> ${shortened(line)}`).join("\n");
  return [`I did not understand this, and left it alone:\n\n${quoted}`];
}

const LONGEST = 2000;

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}\n…`;
}
