import { type BytePath, bytePath } from "@retake/runtime";
import { type Command, wrongUsage } from "../command.ts";
import { CONFLICT_OPTIONS, CONFLICT_USAGE, conflictOptions } from "../conflict-options.ts";
import { findReverted } from "../find-reverted.ts";
import { sayTakenBack } from "../taken-back.ts";
import { workspacePath } from "../workspace-path.ts";

export const command: Command = {
  name: "revert",
  summary: "Take back one thing in the middle and keep what came later; with --path or --hunk, only that of its files",
  usage: `<op|turn|call> [--path p]… [--hunk path:n,…]… ${CONFLICT_USAGE}`,
  most: 1,
  options: { ...CONFLICT_OPTIONS, path: { type: "string", multiple: true }, hunk: { type: "string", multiple: true } },
  async run(call) {
    const { workspace, thread, options } = call;
    const { path, hunk } = options;
    const paths = Array.isArray(path)
      ? path.map((each) => bytePath(workspacePath(workspace.root, String(each))))
      : undefined;
    const reverted = findReverted(call, call.args[0]);
    const hunks = Array.isArray(hunk) ? hunksOf(workspace.root, hunk.map(String)) : undefined;
    const some = { ...(paths ? { paths } : {}), ...(hunks ? { hunks } : {}) };
    const done = await workspace.revert(thread, reverted, { ...conflictOptions(call), ...some });
    sayTakenBack(call, done);
  },
};

/** `src/a.ts:0,2`: these changes of that file, by the numbers that `show` prints. */
function hunksOf(root: string, named: readonly string[]): Map<BytePath, number[]> {
  const hunks = new Map<BytePath, number[]>();
  for (const each of named) {
    const [, path, numbers] = /^(.+):(\d{1,6}(?:,\d{1,6})*)$/s.exec(each) ?? [];
    if (path === undefined || numbers === undefined)
      throw wrongUsage(`--hunk takes a path and numbers, like src/a.ts:0,2, not '${each}'. retake show prints them.`);
    const key = bytePath(workspacePath(root, path));
    hunks.set(key, [...(hunks.get(key) ?? []), ...numbers.split(",").map(Number)]);
  }
  return hunks;
}
