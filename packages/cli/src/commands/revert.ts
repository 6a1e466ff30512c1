import { action as revert } from "@retake/runtime/actions/revert";
import { actResolving } from "../act-resolving.ts";
import { type Call, type Command, textOptions, wrongUsage } from "../command.ts";
import { CONFLICT_OPTIONS, conflictOptions } from "../conflict-options.ts";
import { requireName } from "../find.ts";
import { sayTakenBack } from "../taken-back.ts";
import { PATH_OPTION, pathOption, workspacePath } from "../workspace-path.ts";

export const command: Command = {
  name: "revert",
  group: "history",
  summary: "Take back one turn, call or operation in the middle, and keep everything after it",
  usage: "<turn|call|operation>",
  most: 1,
  places: ["point"],
  options: {
    ...CONFLICT_OPTIONS,
    ...PATH_OPTION,
    hunk: {
      type: "string",
      multiple: true,
      value: "file:n,n",
      about: "only these changes of a file, by the numbers that retake show prints; may be given several times",
    },
  },
  examples: [
    ["retake revert 2", "take back turn 2 and keep all that came later"],
    ["retake revert 2.1.1 --dry-run", "see what taking back one call would do"],
    ["retake revert 3 --path plan.txt", "take back one file of turn 3"],
  ],
  async run(call) {
    const { thread } = call;
    const hunks = textOptions(call, "hunk");
    const body = {
      op: requireName("turn, call or operation", call.args[0]),
      paths: pathOption(call),
      hunks: hunks.length > 0 ? hunksOf(call, hunks) : undefined,
      ...conflictOptions(call),
    };
    sayTakenBack(call, await actResolving(call, revert, { params: { id: thread }, body }));
  },
};

/** `src/a.ts:0,2`: these changes of that file, by the numbers that `show` prints. */
function hunksOf(call: Call, named: readonly string[]): { path: string; edits: number[] }[] {
  const hunks = new Map<string, number[]>();
  for (const each of named) {
    const [, path, numbers] = /^(.+):(\d{1,6}(?:,\d{1,6})*)$/s.exec(each) ?? [];
    if (path === undefined || numbers === undefined)
      throw wrongUsage(`--hunk takes a path and numbers, like src/a.ts:0,2, not '${each}'. retake show prints them.`);
    const key = workspacePath(call, path);
    hunks.set(key, [...(hunks.get(key) ?? []), ...numbers.split(",").map(Number)]);
  }
  return [...hunks].map(([path, edits]) => ({ path, edits }));
}
