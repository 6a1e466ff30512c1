import type { ConflictPolicy, UndoScope } from "@retake/core";
import { type Command, countFrom } from "../command.ts";
import { sayTakenBack } from "../taken-back.ts";

export const command: Command = {
  name: "undo",
  summary: "Take back the last turn: its entries and its file changes, together",
  usage:
    "[N] [--step] [--scope both|conversation|files] [--keep-prompt] [--dry-run] [--on-conflict abort|keep|merge|overwrite]",
  options: {
    step: { type: "boolean" },
    scope: { type: "string" },
    "keep-prompt": { type: "boolean" },
    "dry-run": { type: "boolean" },
    "on-conflict": { type: "string" },
  },
  async run(call) {
    const { options, retake, thread } = call;
    let count = countFrom(call.args[0], 1);
    // Behind a branch or a switch another take is active: what remains is undone there.
    for (;;) {
      const done = await retake.undo(
        thread,
        {
          count,
          steps: options["step"] === true,
          keep_prompt: options["keep-prompt"] === true,
          ...(options["scope"] === undefined ? {} : { scope: options["scope"] as UndoScope }),
        },
        {
          dryRun: options["dry-run"] === true,
          ...(options["on-conflict"] === undefined ? {} : { onConflict: options["on-conflict"] as ConflictPolicy }),
        },
      );
      sayTakenBack(call, "Undone", done);
      if (done.kind !== "done" || done.plan.kind !== "plan" || done.plan.remaining === 0) return;
      count = done.plan.remaining;
    }
  },
};
