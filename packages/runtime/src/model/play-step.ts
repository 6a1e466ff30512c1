import {
  canonical,
  MODEL_ERRORS,
  type ModelErrorCode,
  type ModelPart,
  type Part,
  type ToolCall,
  type Usage,
} from "@retake/core";
import { charactersOf } from "./message-size.ts";
import type { ModelEnd, ModelRequest } from "./model.ts";
import { pause } from "./pause.ts";
import type { ScriptStep } from "./script.ts";

/** Yields a step as a model over the network would: after a while, piece by piece, and nothing more once aborted. */
export async function* playStep(step: ScriptStep, request: ModelRequest): AsyncGenerator<ModelPart | ModelEnd> {
  const calls = callsOf(step, request);
  if (!(await pause(step.delay_ms ?? 0, request.signal))) return;
  for (const part of partsOf(step)) {
    yield part;
    if (!(await pause(0, request.signal))) return;
  }
  yield step.error === undefined ? responded(step, calls, request) : failed(step.error);
}

function* partsOf({ thinking = "", text = "" }: ScriptStep): Generator<ModelPart> {
  if (thinking !== "") yield { kind: "thinking", text: thinking };
  for (const [piece] of text.matchAll(PIECE)) yield { kind: "text", text: piece };
}

/** Up to four words with the white space around them; never cuts within a word, so never within a character. */
const PIECE = /\s*(?:\S+\s*){1,4}|\s+/g;

/** The same step of the same turn always makes the same ids, so that playing it again makes the same conversation. */
function callsOf({ tool_calls = [] }: ScriptStep, { turn, step }: ModelRequest): ToolCall[] {
  return tool_calls.map(({ name, input }, index) => ({ id: `call_${turn}_${step}_${index + 1}`, name, input }));
}

function responded(step: ScriptStep, calls: readonly ToolCall[], request: ModelRequest): ModelEnd {
  const stop = calls.length > 0 ? "tool-calls" : "end";
  return { kind: "responded", stop, calls, usage: usageOf(step, calls, request) };
}

function failed(error: string): ModelEnd {
  const code = Object.hasOwn(MODEL_ERRORS, error) ? (error as ModelErrorCode) : "server";
  return { kind: "failed", code, message: `The script says that the model fails here: ${error}.` };
}

/** About four characters make a token. */
function usageOf({ thinking = "", text = "" }: ScriptStep, calls: readonly ToolCall[], request: ModelRequest): Usage {
  const parts = request.messages.flatMap((message): readonly Part[] => message.parts);
  const read = parts.reduce((sum, part) => sum + charactersOf(part), request.system.length);
  const offered = request.tools.length === 0 ? 0 : JSON.stringify(request.tools).length;
  const called = calls.reduce((sum, { name, input }) => sum + name.length + canonical(input).length, 0);
  return {
    input_tokens: Math.ceil((read + offered) / 4),
    output_tokens: Math.ceil((thinking.length + text.length + called) / 4),
  };
}
