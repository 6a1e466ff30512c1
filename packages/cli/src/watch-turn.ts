import { askApproval } from "./ask-approval.ts";
import type { EndedTurn, Watch } from "./client-turns.ts";
import { type Call, CommandError, EXIT, refused } from "./command.ts";
import { TurnPrinter } from "./turn-printer.ts";

/** Prints a turn as it runs. Ctrl+C ends the turn, a second one the process. */
export async function watchTurn<T>(call: Call, start: (watch: Watch) => Promise<T>): Promise<T> {
  const { options, output } = call;
  const interrupt = new AbortController();
  let interrupts = 0;
  const onInterrupt = () => {
    interrupts += 1;
    if (interrupts > 1) process.exit(130);
    interrupt.abort();
  };
  process.on("SIGINT", onInterrupt);
  const printer = new TurnPrinter(output);
  try {
    return await start({
      approveAll: options["yes"] === true,
      approve: (question, gone) =>
        askApproval(output, question, AbortSignal.any([interrupt.signal, ...(gone ? [gone] : [])])),
      onEvent: (event) => printer.print(event),
      signal: interrupt.signal,
    });
  } finally {
    process.removeListener("SIGINT", onInterrupt);
  }
}

/** A turn that did not begin, or did not finish, is a failure of the command. */
export function sayEnded(ended: EndedTurn): void {
  if ("code" in ended) throw refused(ended);
  if ("kind" in ended) throw new CommandError(EXIT.failed, "busy", ended.message);
  const { failure, status } = ended;
  if (failure)
    throw new CommandError(EXIT.failed, String(failure["code"]), `${failure["message"]} ${failure["advice"]}`);
  if (status !== "finished") {
    throw new CommandError(
      EXIT.failed,
      status,
      `The turn did not finish: ${status}. What it did can be taken back: retake undo`,
    );
  }
}
