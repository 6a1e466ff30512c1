import { APPROVAL_MODES } from "@retake/core";
import type { TurnResult } from "@retake/runtime";
import { Questions } from "./ask-approval.ts";
import type { Watch } from "./client-turns.ts";
import { type Call, CommandError, EndedWith, EXIT, type Options, wrongUsage } from "./command.ts";
import { keepDraft } from "./keep-draft.ts";
import { TurnPrinter } from "./turn-printer.ts";

/** Prints a turn as it runs, and counts denied calls. Ctrl+C ends the turn, a second one the process. */
export async function watchTurn<T>(
  call: Call,
  thread: string,
  start: (watch: Watch) => Promise<T>,
): Promise<{ readonly ended: T; readonly denied: number }> {
  const { options, output, world } = call;
  const interrupt = new AbortController();
  let interrupts = 0;
  const onInterrupt = () => {
    interrupts += 1;
    if (interrupts > 1) world.exit(130);
    interrupt.abort();
  };
  const leave = world.onSignal("SIGINT", onInterrupt);
  const printer = new TurnPrinter(output);
  const questions = new Questions(call);
  let denied = 0;
  try {
    const ended = await start({
      ...approving(options),
      approve: (question, gone) =>
        questions.ask(question, AbortSignal.any([interrupt.signal, ...(gone ? [gone] : [])])),
      onEvent: (event) => {
        if (event.type === "tool-ended" && event.status === "denied") denied += 1;
        printer.print(event);
      },
      signal: interrupt.signal,
    });
    return { ended, denied };
  } finally {
    leave();
    await keepDraft(call, thread, questions.typed);
  }
}

/** The options of commands that run a turn: what runs unasked in it. */
export const APPROVING = {
  yes: { type: "boolean", about: "ask nothing: run what can be undone, and deny the rest (exit code 5)" },
  approve: {
    type: "string",
    choices: APPROVAL_MODES,
    about: "what runs unasked; otherwise what retake approvals says",
  },
} as const satisfies Options;

function approving(options: Call["options"]): Pick<Watch, "mode" | "questions"> {
  const { yes = false, approve } = options;
  const mode = APPROVAL_MODES.find((each) => each === approve);
  if (yes === true && mode !== undefined && mode !== "undoable")
    throw wrongUsage(`--yes runs what can be undone and denies the rest: it does not go with --approve ${mode}.`);
  return yes === true ? { mode: "undoable", questions: false } : { mode, questions: true };
}

/** A turn that did not begin, or did not finish, is a failure of the command; one in which something was denied is done, but not all of it. */
export function sayEnded({ failure, status }: TurnResult, denied: number): void {
  if (failure)
    throw new CommandError(EXIT.failed, String(failure["code"]), `${failure["message"]} ${failure["advice"]}`);
  if (status !== "finished") {
    throw new CommandError(
      EXIT.failed,
      status,
      `The turn did not finish: ${status}. Its changes are kept. Take them back: retake undo`,
    );
  }
  if (denied > 0) throw new EndedWith(EXIT.denied);
}
