import type { JsonObject } from "@retake/core";
import { endOf } from "./background-commands.ts";
import { numberIn, stringIn } from "./check-input.ts";
import { completed, defineTool, failed } from "./define-tool.ts";
import type { Background, BackgroundCommand, ToolEnd, ToolRun } from "./tool.ts";

const NAME = { type: "string", minLength: 1, maxLength: 100, description: "The name that bash answered." } as const;
const NOTHING = async () => ({ writes: false, paths: [], irreversible: [] });

/** Reads what a command in the background said since it was last read. */
export const bashOutput = defineTool({
  name: "bash_output",
  description:
    "Reads what a command in the background (bash with background) has said since it was last read, and whether it still runs.",
  input: {
    type: "object",
    properties: {
      name: NAME,
      wait_ms: {
        type: "integer",
        minimum: 0,
        maximum: 600_000,
        description: "How long to wait for new output or its end; 0 if absent.",
      },
    },
    required: ["name"],
    additionalProperties: false,
  },
  examine: NOTHING,
  run: (input, run) =>
    onCommand(input, run, async (found, commands) => {
      await commands.news(found.name, numberIn(input, "wait_ms") ?? 0, run.signal);
      return said(found, commands, "(no new output)");
    }),
});

/** Ends a command in the background. */
export const bashEnd = defineTool({
  name: "bash_end",
  description:
    "Ends a command in the background (bash with background), with all that it started. Answers the rest of its output.",
  input: { type: "object", properties: { name: NAME }, required: ["name"], additionalProperties: false },
  examine: NOTHING,
  run: (input, run) =>
    onCommand(input, run, async (found, commands) => {
      await commands.end(found.name);
      return said(found, commands, "");
    }),
});

async function onCommand(
  input: JsonObject,
  { background }: ToolRun,
  work: (found: BackgroundCommand, commands: Background) => Promise<ToolEnd>,
): Promise<ToolEnd> {
  const name = stringIn(input, "name") ?? "";
  const found = background?.find(name);
  if (background && found) return work(found, background);
  const running = background?.running ?? [];
  const there = running.length > 0 ? `Running: ${running.join(", ")}.` : "None runs.";
  return failed(`No command ${name} was started in this turn; one of an earlier turn ended with it. ${there}`);
}

function said(found: BackgroundCommand, commands: Background, silence: string): ToolEnd {
  const text = found.keeper.read().replace(/\n$/, "") || silence;
  const state = found.end ? `(It has ended: ${endOf(found.end)}.)` : "(It still runs.)";
  commands.known(found.name);
  return completed(text === "" ? state : `${text}\n${state}`, {
    exit_code: found.end?.code ?? null,
    output_bytes: found.keeper.bytes,
  });
}
