import { action as revert } from "@retake/runtime/actions/revert";
import { act } from "../act.ts";
import { type Command, wrongUsage } from "../command.ts";
import { CONFLICT_OPTIONS, CONFLICT_USAGE, conflictOptions } from "../conflict-options.ts";
import { find } from "../find.ts";
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
    const { operation: op, result } = find.reverted(call, call.args[0]);
    const body = {
      ...(op === undefined ? { call: result } : { op }),
      ...(Array.isArray(path) ? { paths: path.map((each) => workspacePath(workspace.root, String(each))) } : {}),
      ...(Array.isArray(hunk) ? { hunks: hunksOf(workspace.root, hunk.map(String)) } : {}),
      ...conflictOptions(call),
    };
    sayTakenBack(call, await act(call, revert, { params: { id: thread }, body }));
  },
};

/** `src/a.ts:0,2`: these changes of that file, by the numbers that `show` prints. */
function hunksOf(root: string, named: readonly string[]): { path: string; edits: number[] }[] {
  const hunks = new Map<string, number[]>();
  for (const each of named) {
    const [, path, numbers] = /^(.+):(\d{1,6}(?:,\d{1,6})*)$/s.exec(each) ?? [];
    if (path === undefined || numbers === undefined)
      throw wrongUsage(`--hunk takes a path and numbers, like src/a.ts:0,2, not '${each}'. retake show prints them.`);
    const key = workspacePath(root, path);
    hunks.set(key, [...(hunks.get(key) ?? []), ...numbers.split(",").map(Number)]);
  }
  return [...hunks].map(([path, edits]) => ({ path, edits }));
}
