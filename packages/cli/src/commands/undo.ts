import type { UndoScope } from "@retake/core";
import { action as undo } from "@retake/runtime/actions/undo";
import { actResolving } from "../act-resolving.ts";
import { type Command, countFrom, wrongUsage } from "../command.ts";
import { CONFLICT_OPTIONS, conflictOptions } from "../conflict-options.ts";
import { sayTakenBack } from "../taken-back.ts";

export const command: Command = {
  name: "undo",
  group: "history",
  summary: "Take back the last turn: its entries and its file changes, together",
  usage: "[N]",
  most: 1,
  options: {
    step: { type: "boolean", about: "take back the last N steps of any kind, as Ctrl+Z does, instead of turns" },
    to: {
      type: "string",
      value: "turn",
      names: "point",
      about: "go back to before this turn: take it back with all turns after it",
    },
    scope: {
      type: "string",
      choices: ["both", "conversation", "files"],
      about: "take back only the conversation, or only the files",
    },
    "keep-prompt": { type: "boolean", about: "leave the draft as it is; otherwise the prompt becomes the draft again" },
    ...CONFLICT_OPTIONS,
  },
  examples: [
    ["retake undo", "take back the last turn"],
    ["retake undo 2 --dry-run", "see what taking back two turns would do"],
    ["retake undo --to 1 --dry-run", "see what going back to before #1 would do"],
    ["retake undo --step", "take back the last change, whatever it was"],
  ],
  async run(call) {
    const { options, thread } = call;
    const count = countFrom(call.args[0], 1);
    const to = options["to"] as string | undefined;
    if (to !== undefined && (options["step"] === true || call.args.length > 0))
      throw wrongUsage("Say a number, --step or --to, one of them. Nothing was changed.");
    const body = {
      ...(to !== undefined ? { to } : options["step"] === true ? { steps: count } : { turns: count }),
      keep_prompt: options["keep-prompt"] === true,
      scope: options["scope"] as UndoScope | undefined,
      ...conflictOptions(call),
    };
    sayTakenBack(call, await actResolving(call, undo, { params: { id: thread }, body }));
  },
};
