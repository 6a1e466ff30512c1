import { setTimeout as wait } from "node:timers/promises";
import { reportOutput } from "./background-commands.ts";
import { numberIn, stringIn } from "./check-input.ts";
import type { CommandEnd } from "./command-end.ts";
import { stoppedBy } from "./confine/stopped-by.ts";
import { count } from "./cut-text.ts";
import { completed, defineTool, failed } from "./define-tool.ts";
import { meaningOf } from "./explain-file-error.ts";
import { OutputKeeper } from "./output-keeper.ts";
import { runCommand } from "./run-command.ts";
import { examineCommand } from "./shell/examine-command.ts";
import type { Confined, ToolEnd, ToolRun } from "./tool.ts";

/** Runs a command line in the workspace. */
export const bash = defineTool({
  name: "bash",
  description:
    "Runs a command line with bash (sh where there is none) in the workspace, without input. Answers its output and exit code. Processes that it leaves end with it; for a server or a watcher use background. Usually it is confined: it can write only in the workspace, not in .git, and has no network. If that stopped it, the answer says so.",
  input: {
    type: "object",
    properties: {
      command: { type: "string", minLength: 1, maxLength: 100_000 },
      timeout_ms: {
        type: "integer",
        minimum: 1,
        maximum: 600_000,
        description: "How long it may take; 120000 if absent.",
      },
      background: {
        type: "boolean",
        description:
          "Answer at once while it runs on, with a name for bash_output and bash_end. It ends at the latest with your answer to the user, and has no timeout. Confined commands share no network: start a server and send it requests in one command.",
      },
      outside: {
        type: "boolean",
        description: "Run it outside of the confinement, after the confinement stopped it. The user is asked.",
      },
    },
    required: ["command"],
    additionalProperties: false,
  },
  endsWithRetake: true,
  check: (input) => (stringIn(input, "command")?.includes("\0") ? "A command cannot hold a NUL character." : undefined),
  async examine(input, place) {
    const found = (await place.confinement?.()) ?? { kind: "none", reason: "nothing was said of it" };
    const command = stringIn(input, "command") ?? "";
    if (input["outside"] !== true || found.kind === "none") return examineCommand(command, place, found);
    const stopped = place.stopped?.(command);
    const why = stopped === undefined ? "the model asks for that" : `confined it was stopped: ${stopped}`;
    const facts = examineCommand(command, place, found);
    return { ...facts, irreversible: [...facts.irreversible, `runs outside of the confinement: ${why}`] };
  },
  async run(input, run) {
    const command = stringIn(input, "command") ?? "";
    if (input["background"] === true) return startInBackground(command, run);
    const timeout = numberIn(input, "timeout_ms") ?? 120_000;
    const keeper = new OutputKeeper(run.overflow);
    const started = performance.now();
    const stopReports = reportOutput(keeper, run);
    try {
      const end = await runCommand(command, { timeout }, keeper, run);
      await keeper.close();
      return toolEnd(end, keeper, timeout, performance.now() - started, run.confined);
    } finally {
      stopReports();
    }
  },
});

/** One that ends within a moment is answered like any other: it has failed to start, or was short. */
const MOMENT = 300;

async function startInBackground(command: string, run: ToolRun): Promise<ToolEnd> {
  const { background, confined, signal } = run;
  if (!background) return failed("Nothing can run in the background here. Nothing was run.");
  const begun = performance.now();
  const started = background.start(command, run);
  if (typeof started === "string") return failed(`${started} Nothing was run.`);
  const { name, keeper, ended } = started;
  await Promise.race([ended, wait(MOMENT, undefined, { signal }).catch(() => background.end(name))]);
  if (started.end) {
    background.known(name);
    return toolEnd(started.end, keeper, 0, performance.now() - begun, confined);
  }
  const output = keeper.read().replace(/\n$/, "");
  const note = `(It runs in the background as ${name}.)`;
  const end = completed(output === "" ? note : `${output}\n${note}`, {
    background: name,
    confined: confined?.by.kind ?? "none",
  });
  return { ...end, background: started };
}

function toolEnd(end: CommandEnd, keeper: OutputKeeper, timeout: number, took: number, confined?: Confined): ToolEnd {
  if (end.error) return failed(`The shell could not be started: ${meaningOf(end.error)}. Nothing was run.`);
  const notes: string[] = [];
  if (end.reason === "timeout") {
    notes.push(`Ended after ${count(timeout)} ms. Give timeout_ms (at most 600000), or do it in smaller parts.`);
  } else if (end.reason === "aborted") notes.push("Interrupted.");
  else if (end.signal !== null) notes.push(`Ended by ${end.signal}.`);
  else if (end.code !== 0) notes.push(`Exit code ${end.code}.`);
  if (end.background > 0) notes.push(`Background processes ended with it: ${end.background}.`);
  if (end.unkept) notes.push(`Not all output was kept: ${end.unkept.message}.`);
  const output = keeper.show().replace(/\n$/, "") || "(no output)";
  const failedBySelf = end.reason === "done" && end.code !== 0;
  const stopped = confined && failedBySelf ? stoppedBy(output, end.network, confined.place) : [];
  if (stopped.length > 0)
    notes.push(
      `The confinement stopped it: ${stopped.join("; ")}. To ask the user to run it outside: "outside": true.`,
    );
  return {
    outcome:
      end.reason === "aborted" ? "interrupted" : end.reason === "done" && end.code === 0 ? "completed" : "failed",
    content: notes.length > 0 ? `${output}\n(${notes.join(" ")})` : output,
    details: {
      exit_code: end.code,
      signal: end.signal,
      timed_out: end.reason === "timeout",
      duration_ms: Math.round(took),
      output_bytes: keeper.bytes,
      background_ended: end.background,
      confined: confined?.by.kind ?? "none",
      ...(stopped.length > 0 ? { stopped: stopped.join("; ") } : {}),
      ...(keeper.overflow === undefined ? {} : { overflow: keeper.overflow }),
    },
  };
}
