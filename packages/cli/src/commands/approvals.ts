import { APPROVAL_MODES, type ApprovalRule, ruleText } from "@retake/core";
import { action as changeApprovals } from "@retake/runtime/actions/change-approvals";
import { action as getApprovals } from "@retake/runtime/actions/get-approvals";
import { act } from "../act.ts";
import { type Command, textOption, wrongUsage } from "../command.ts";
import { usageOf } from "../command-usage.ts";

export const command: Command = {
  name: "approvals",
  group: "turns",
  summary: "Show or set what runs without a question in this workspace: the mode and the rules",
  usage: "[undoable|ask|all | add <allow|ask|deny> <tool> [command] | remove <n>]",
  options: { path: { type: "string", value: "pattern", about: "the files that a rule is about" } },
  details: [
    "undoable: what an undo takes back runs unasked: changes of files, and commands while they are confined (default)",
    "ask: only reading in the workspace runs unasked",
    "all: everything runs unasked; the receipt names what cannot be undone",
    "Rules come on top; of those that match, the last decides. In a pattern * stands for any characters. They are kept with this machine: no import, undo, jump or sync brings one.",
  ],
  examples: [
    ["retake approvals", "the mode and the rules"],
    ["retake approvals add allow bash 'npm install*'", "that command may leave the confinement"],
    ["retake approvals add deny '*' --path 'secrets/**'", "no file tool, and no command that names these files"],
  ],
  async run(call) {
    const [what, ...rest] = call.args;
    const answer = await (what === undefined
      ? act(call, getApprovals, { params: {} })
      : act(call, changeApprovals, { params: {}, body: changeOf(what, rest, textOption(call, "path")) }));
    call.output.say(answer, () => [
      `Mode         ${answer.mode}`,
      `Commands     ${answer.confinement.description}`,
      ...answer.rules.map(
        (rule, index) => `Rule ${String(index + 1).padEnd(8)}${rule.decision} ${ruleText(rule as ApprovalRule)}`,
      ),
    ]);
  },
};

function changeOf(what: string, rest: readonly string[], path: string | undefined) {
  const mode = APPROVAL_MODES.find((each) => each === what);
  if (mode !== undefined && rest.length === 0) return { mode };
  if (what === "remove" && /^[1-9]\d{0,8}$/.test(rest[0] ?? "") && rest.length === 1)
    return { remove: Number(rest[0]) };
  if (what === "add") return { add: ruleOf(rest, path) };
  throw wrongUsage(`Usage: ${usageOf(command)}`);
}

function ruleOf([decision = "", tool, ...words]: readonly string[], path: string | undefined): ApprovalRule {
  const decided = (["allow", "ask", "deny"] as const).find((each) => each === decision);
  if (decided === undefined || tool === undefined)
    throw wrongUsage("A rule is: allow, ask or deny, then a tool, then --path or a command. Nothing was changed.");
  const rule = { tool, decision: decided };
  if (path !== undefined) return { ...rule, path };
  return words.length > 0 ? { ...rule, command: words.join(" ") } : rule;
}
