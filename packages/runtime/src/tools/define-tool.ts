import type { CallFacts, JsonObject } from "@retake/core";
import { checkInput } from "./check-input.ts";
import { explainFileError } from "./explain-file-error.ts";
import type { Tool, ToolEnd, ToolRoots, ToolRun } from "./tool.ts";

/**
 * A tool from its parts, with the behaviour that all tools share: its schema checks the input, an abort ends it as
 * `interrupted`, and the model gets errors of the file system. Any other error is a bug of the tool and is thrown.
 */
export function defineTool(parts: ToolParts): Tool {
  return {
    name: parts.name,
    description: parts.description,
    input: parts.input,
    onlyReplaces: parts.onlyReplaces ?? false,
    endsWithRetake: parts.endsWithRetake ?? false,
    check: (input) => checkInput(parts.input, input) ?? parts.check?.(input),
    examine: (input, place) => parts.examine(input, place),
    ...(parts.preview ? { preview: parts.preview } : {}),
    run: async (input, run) => {
      if (run.signal.aborted) return interrupted;
      try {
        const end = await parts.run(input, run);
        // Text cut between the halves of a character could be kept nowhere.
        return { ...end, content: end.content.toWellFormed() };
      } catch (error) {
        if (run.signal.aborted) return interrupted;
        const message = explainFileError(error);
        if (message === undefined) throw error;
        return failed(message);
      }
    },
  };
}

interface ToolParts {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
  /** Checks the input beyond the schema. */
  check?(input: JsonObject): string | undefined;
  examine(input: JsonObject, place: ToolRoots): Promise<CallFacts>;
  preview?(input: JsonObject, place: ToolRoots): Promise<string | undefined>;
  run(input: JsonObject, run: ToolRun): Promise<ToolEnd>;
  readonly onlyReplaces?: boolean;
  readonly endsWithRetake?: boolean;
}

export function completed(content: string, details?: JsonObject): ToolEnd {
  return details ? { outcome: "completed", content, details } : { outcome: "completed", content };
}

export function failed(content: string, details?: JsonObject): ToolEnd {
  return details ? { outcome: "failed", content, details } : { outcome: "failed", content };
}

const interrupted: ToolEnd = { outcome: "interrupted", content: "Interrupted before it was done." };
