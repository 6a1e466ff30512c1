import { decideApproval, reasonsOf, type ToolCall } from "@retake/core";
import type { Approvals } from "../store/approvals.ts";
import { failed } from "../tools/define-tool.ts";
import type { Tool, ToolEnd, ToolRun } from "../tools/tool.ts";
import type { Budget } from "./budget.ts";
import { invalidInput } from "./invalid-input.ts";
import type { TurnRequest } from "./turn.ts";

export interface SubCallParts {
  /** The tools of the turn without this one: a helper has no helpers. */
  readonly tools: readonly Tool[];
  readonly budget: Budget;
  readonly approvals: Approvals;
  readonly mode: TurnRequest["mode"];
}

/**
 * Runs one call of a sub-agent, or tells it why not. The call that started it was approved as a whole: what an undo takes back
 * runs, and all that would be asked about is denied. The files are captured around that call and not here.
 */
export async function runSubCall(
  parts: SubCallParts,
  run: ToolRun,
  call: ToolCall,
  mayWrite: boolean,
): Promise<ToolEnd> {
  const { name, input } = call;
  const tool = parts.tools.find((each) => each.name === name);
  if (!tool) return failed(`There is no tool ${name}. There are: ${parts.tools.map((each) => each.name).join(", ")}.`);
  const problem = invalidInput(call) ?? tool.check(input);
  if (problem !== undefined) return failed(problem);
  try {
    const facts = await tool.examine(input, run);
    if (facts.writes && !mayWrite)
      return failed("Denied: this helper only reads. Report what is to be done instead. Nothing was run.");
    const { mode: usual, rules } = parts.approvals.of(run.root);
    const mode = (parts.mode ?? usual) === "all" ? "all" : "undoable";
    const approval = decideApproval({ name }, facts, { mode, rules, questions: false });
    if (approval.decision === "deny") return failed(`Denied: ${approval.reason}. Nothing was run.`);
    if (approval.decision === "ask")
      return failed(`Denied: ${reasonsOf(approval.notices)}, and a helper cannot ask the user. Nothing was run.`);
    const { confined: _, ...rest } = run;
    const confined = facts.command === undefined || approval.outside ? undefined : await run.confine?.();
    const own = { approved: facts.paths, overflow: `${run.overflow}-${call.id}`, report: () => {} };
    return await tool.run(input, { ...rest, ...own, ...(confined ? { confined } : {}) });
  } catch (error) {
    return failed((error as Error).message);
  }
}
