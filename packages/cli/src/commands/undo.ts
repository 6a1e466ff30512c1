import type { UndoScope } from "@retake/core";
import { action as undo } from "@retake/runtime/actions/undo";
import { act } from "../act.ts";
import { type Command, countFrom } from "../command.ts";
import { CONFLICT_OPTIONS, CONFLICT_USAGE, conflictOptions } from "../conflict-options.ts";
import { sayTakenBack } from "../taken-back.ts";

export const command: Command = {
  name: "undo",
  summary: "Take back the last turn: its entries and its file changes, together",
  usage: `[N] [--step] [--scope both|conversation|files] [--keep-prompt] ${CONFLICT_USAGE}`,
  most: 1,
  options: {
    step: { type: "boolean" },
    scope: { type: "string" },
    "keep-prompt": { type: "boolean" },
    ...CONFLICT_OPTIONS,
  },
  async run(call) {
    const { options, thread } = call;
    const count = countFrom(call.args[0], 1);
    const body = {
      ...(options["step"] === true ? { steps: count } : { turns: count }),
      keep_prompt: options["keep-prompt"] === true,
      ...(options["scope"] === undefined ? {} : { scope: options["scope"] as UndoScope }),
      ...conflictOptions(call),
    };
    sayTakenBack(call, await act(call, undo, { params: { id: thread }, body }));
  },
};
