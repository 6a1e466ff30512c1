import { kindOf, type TurnReceipt } from "@retake/core";
import { namedEffects, operationJson, type RecordChange, whatOperationDid } from "@retake/runtime";
import { actorName } from "../actor-name.ts";
import type { Command } from "../command.ts";
import { describeChange } from "../describe-change.ts";
import { find } from "../find.ts";
import { verbatim } from "../output.ts";
import { patchLines } from "../patch-lines.ts";
import { stayingLines } from "../receipt-lines.ts";
import { typedName } from "../typed-name.ts";
import { uncoveredLines } from "../uncovered-lines.ts";

export const command: Command = {
  name: "show",
  group: "history",
  summary: "What one operation or turn did; for a part of a turn, what the turn did up to it",
  usage: "<turn|operation>",
  most: 1,
  places: ["point"],
  examples: [
    ["retake show 2", "what turn 2 did, with its diff"],
    ["retake show 2 --json", "the same for a program"],
  ],
  async run(call) {
    const { workspace, thread, output } = call;
    const point = find.point(call, call.args[0]);
    const { operation, first, changes, files } = await whatOperationDid(workspace, thread, point.operation);
    const { version, group } = operation;
    const receipt = receiptIn(changes);
    const named = workspace.store.names(thread, (scope) => operationJson(operation, scope));
    const name = typedName((point.turn ? named.turn_name : undefined) ?? named.name);
    const effects = namedEffects(workspace.store, thread, receipt?.effects ?? []);
    const told = {
      ...named,
      version,
      group,
      changes,
      files,
      ...(receipt ? { receipt } : {}),
    };
    output.say(told, () => [
      output.style("bold", first.description),
      ...output.facts([
        ["  operation", `${named.name}  ${operation.id}`],
        ["  kind", operation.kind],
        ["  by", `${actorName(operation)}, ${output.ago(operation.created_at)}`],
        ...(operation.turn_id === undefined ? [] : [["  turn", named.turn_name ?? ""]]),
      ]),
      ...changes.map((change) => `  ${describeChange(output, change)}`),
      ...verbatim(patchLines(output, files)),
      ...(receipt ? indented(stayingLines(output, { effects, uncovered: receipt.uncovered_changed }, STAYS)) : []),
      ...(receipt && receipt.uncovered.length > 0 ? ["  Not covered when it ended:"] : []),
      ...uncoveredLines(output, receipt?.uncovered ?? []),
      output.hint(`retake jump ${name} · retake revert ${name}`),
    ]);
  },
};

const STAYS = "cannot be taken back";

function indented(lines: Iterable<string>): string[] {
  return [...lines].map((line) => `  ${line}`);
}

function receiptIn(changes: readonly RecordChange[]): TurnReceipt | undefined {
  const turn = changes.find(({ record, after }) => kindOf(record) === "turn" && after?.["receipt"]);
  return turn?.after?.["receipt"] as unknown as TurnReceipt | undefined;
}
