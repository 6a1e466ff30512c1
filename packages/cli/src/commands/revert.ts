import { bytePath } from "@retake/runtime";
import type { Command } from "../command.ts";
import { CONFLICT_OPTIONS, CONFLICT_USAGE, conflictOptions } from "../conflict-options.ts";
import { findReverted } from "../find-reverted.ts";
import { sayTakenBack } from "../taken-back.ts";
import { workspacePath } from "../workspace-path.ts";

export const command: Command = {
  name: "revert",
  summary: "Take back one thing in the middle and keep what came later; with --path, only those files of it",
  usage: `<op|turn|call> [--path p]… ${CONFLICT_USAGE}`,
  most: 1,
  options: { ...CONFLICT_OPTIONS, path: { type: "string", multiple: true } },
  async run(call) {
    const { retake, thread, options } = call;
    const { path } = options;
    const paths = Array.isArray(path)
      ? path.map((each) => bytePath(workspacePath(retake.root, String(each))))
      : undefined;
    const reverted = findReverted(call, call.args[0]);
    const done = await retake.revert(thread, reverted, { ...conflictOptions(call), ...(paths ? { paths } : {}) });
    sayTakenBack(call, done);
  },
};
